package diycmd

import (
	"log/slog"
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"github.com/go-chi/chi/v5"
	"go.uber.org/fx"

	"github.com/vc-admin/diy/adapters/console"
	"github.com/vc-admin/diy/adapters/sqlstorage"
	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/ports/clock"
)

// headerNamePattern matches the name of a header.
var headerNamePattern = regexp.MustCompile(`^[A-Za-z0-9-]+$`)

// hasProxyForConsole reports whether a proxy authenticates the operators. checkConsole accepts all of its settings or none.
func (c config) hasProxyForConsole() bool { return c.AdminUserHeader != "" }

// checkConsole checks the settings of the operator console, and parses the roles and the URL. The settings must be all
// empty or all set, except that the header of the groups is optional.
func (c *config) checkConsole(problems *configError) {
	required := map[string]string{
		"DIY_ADMIN_USER_HEADER": c.AdminUserHeader, "DIY_ADMIN_PROXY_SECRET": c.AdminProxySecret, "DIY_ADMIN_URL": c.AdminURL,
		"DIY_ADMIN_ROLES": c.AdminRoles,
	}
	if c.AdminGroupsHeader == "" && c.AdminUserHeader+c.AdminProxySecret+c.AdminURL+c.AdminRoles == "" {
		return
	}
	required["DIY_ADMIN_ADDR"] = c.AdminAddr
	for name, value := range required {
		if value == "" {
			problems.add("%s must be set for the operator console", name)
		}
	}
	c.checkConsoleHeaders(problems)
	if c.AdminURL != "" {
		origin, ok := parseWebOrigin(strings.TrimRight(c.AdminURL, "/"))
		if !ok {
			problems.add("DIY_ADMIN_URL must be an http or https address without a path, query or fragment")
		}
		c.AdminURL = origin
	}
	if c.AdminRoles != "" {
		roles, err := console.ParseRoles(c.AdminRoles)
		if err != nil {
			problems.add("DIY_ADMIN_ROLES: %v", err)
		}
		c.adminRoles = roles
	}
}

// checkConsoleHeaders checks the names of the proxy's headers and the secret.
func (c *config) checkConsoleHeaders(problems *configError) {
	for name, header := range map[string]string{
		"DIY_ADMIN_USER_HEADER": c.AdminUserHeader, "DIY_ADMIN_GROUPS_HEADER": c.AdminGroupsHeader,
	} {
		if header != "" && !headerNamePattern.MatchString(header) {
			problems.add("%s must be the name of a header, not %q", name, header)
		}
	}
	if secret := c.AdminProxySecret; secret != "" && len(secret) < console.MinSecretLength {
		problems.add("DIY_ADMIN_PROXY_SECRET must have at least %d characters", console.MinSecretLength)
	}
}

// consoleParams contains the parameters of newConsole.
type consoleParams struct {
	fx.In

	Config   config
	UseCases *app.UseCases
	Store    *sqlstorage.Store
	Clock    clock.Clock
	Log      *slog.Logger
}

// newConsole returns the operator console, or nil in production without a proxy that authenticates the operators. In
// development without such a proxy every request is an operator's, so the caller must check its host.
func newConsole(p consoleParams) (*console.Console, error) {
	key, err := loadSecret(p.Store, "console")
	if err != nil {
		return nil, err
	}
	options := console.Options{
		UseCases: p.UseCases, Key: key, Views: rateLimitCounters(p.Config, p.Store), Catalogue: p.Config.catalogue, Clock: p.Clock, Log: p.Log,
		Brand: p.Config.branding.Name, Version: version, Provider: p.Config.Payments,
	}
	switch {
	case p.Config.hasProxyForConsole():
		origin, err := url.Parse(p.Config.AdminURL)
		if err != nil {
			return nil, err
		}
		options.Host = origin.Host
		options.Identify = console.Proxy{
			UserHeader: p.Config.AdminUserHeader, GroupsHeader: p.Config.AdminGroupsHeader, Secret: p.Config.AdminProxySecret,
			Roles: p.Config.adminRoles,
		}.Identify
	case p.Config.isProduction():
		return nil, nil //nolint:nilnil // there is no console
	default:
		options.Identify = console.Developer()
	}
	return console.New(options), nil
}

// adminConsole returns the handler of the console on the admin address, or nil if there is no console.
func adminConsole(c config, operatorConsole *console.Console) http.Handler {
	switch {
	case operatorConsole == nil:
		return nil
	case c.hasProxyForConsole():
		return operatorConsole
	}
	return requireKnownHost(c.PublicURL)(operatorConsole)
}

// consoleRoutes serves the console on the public address, for development.
func consoleRoutes(operatorConsole *console.Console) func(chi.Router) {
	return func(r chi.Router) {
		r.Handle(console.Path, operatorConsole)
		r.Handle(console.Path+"/*", operatorConsole)
	}
}
