package console

import (
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/vc-admin/diy/app/operators"
	"github.com/vc-admin/diy/domain/fault"
)

// SecretHeader is the header in which the proxy sends the secret that proves that the request came through the proxy.
const SecretHeader = "X-Admin-Proxy-Secret" //nolint:gosec // the name of a header

// MinSecretLength is the minimum number of characters of Proxy.Secret.
const MinSecretLength = 32

const (
	maxNameLength   = 254  // bytes of the operator's name, and of the secret
	maxGroupsLength = 4096 // bytes of the list of groups
)

// Identify returns the operator who makes the request. The error is Forbidden if the request proves no operator.
type Identify func(r *http.Request) (operators.Operator, error)

// Developer returns an Identify for development, which accepts every request as one of an operator with all roles.
func Developer() Identify {
	return func(*http.Request) (operators.Operator, error) {
		return operators.Operator{Name: "developer", Roles: operators.Roles()}, nil
	}
}

// Proxy describes the proxy in front of the console, which authenticates the operators.
type Proxy struct {
	UserHeader   string // contains the name or the email address of the operator
	GroupsHeader string // contains the groups of the operator, separated by commas; "" for none
	Secret       string // in SecretHeader
	Roles        RoleTable
}

// Identify implements the type of the same name for the requests of the proxy. A header that occurs several times, or
// contains characters that are not printable ASCII, proves nothing, because the proxy and this server could read it
// differently.
func (p Proxy) Identify(r *http.Request) (operators.Operator, error) {
	secret, err := headerValue(r, SecretHeader, maxNameLength)
	if err != nil {
		return operators.Operator{}, err
	}
	got, want := sha256.Sum256([]byte(secret)), sha256.Sum256([]byte(p.Secret))
	if p.Secret == "" || subtle.ConstantTimeCompare(got[:], want[:]) != 1 {
		return operators.Operator{}, fault.New(fault.Forbidden, "The request did not come through the proxy of the console.")
	}
	name, err := headerValue(r, p.UserHeader, maxNameLength)
	if err != nil {
		return operators.Operator{}, err
	}
	var groups []string
	if p.GroupsHeader != "" && len(r.Header.Values(p.GroupsHeader)) > 0 {
		list, err := headerValue(r, p.GroupsHeader, maxGroupsLength)
		if err != nil {
			return operators.Operator{}, err
		}
		for group := range strings.SplitSeq(list, ",") {
			groups = append(groups, strings.TrimSpace(group))
		}
	}
	return operators.Operator{Name: name, Roles: p.Roles.rolesOf(name, groups)}, nil
}

// headerValue returns the value of a header that occurs once.
func headerValue(r *http.Request, name string, maxLength int) (string, error) {
	values := r.Header.Values(name)
	isUnprintable := func(c rune) bool { return c < ' ' || c > '~' }
	if len(values) != 1 || len(values[0]) > maxLength || strings.ContainsFunc(values[0], isUnprintable) ||
		strings.TrimSpace(values[0]) == "" {
		return "", fault.Newf(fault.Forbidden, "The header %s must occur once, with printable ASCII characters.", name)
	}
	return strings.TrimSpace(values[0]), nil
}

// RoleTable contains the operators and the groups, as "group:NAME", that have each role.
type RoleTable map[operators.Role][]string

const groupPrefix = "group:"

// ParseRoles parses a table such as "support=group:support;finance=group:billing,ann@example.com".
func ParseRoles(text string) (RoleTable, error) {
	table := RoleTable{}
	for entry := range strings.SplitSeq(text, ";") {
		if strings.TrimSpace(entry) == "" {
			continue
		}
		name, members, _ := strings.Cut(entry, "=")
		role := operators.Role(strings.TrimSpace(name))
		if !slices.Contains(operators.Roles(), role) {
			return nil, fmt.Errorf("%q is not a role; the roles are %v", role, operators.Roles())
		}
		for member := range strings.SplitSeq(members, ",") {
			member = strings.TrimSpace(member)
			if member == "" || member == groupPrefix {
				return nil, fmt.Errorf("the role %s must have names or groups, separated by commas", role)
			}
			table[role] = append(table[role], member)
		}
	}
	if len(table) == 0 {
		return nil, errors.New("no role is given")
	}
	return table, nil
}

// rolesOf returns the roles of an operator. The name of an operator never counts as a group.
func (t RoleTable) rolesOf(name string, groups []string) (roles []operators.Role) {
	for _, role := range operators.Roles() {
		if slices.ContainsFunc(t[role], func(member string) bool {
			if group, isGroup := strings.CutPrefix(member, groupPrefix); isGroup {
				return slices.Contains(groups, group)
			}
			return member == name
		}) {
			roles = append(roles, role)
		}
	}
	return roles
}
