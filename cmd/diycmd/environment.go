package diycmd

import (
	"errors"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/caarlos0/env/v11"
)

// variablePrefix begins the name of every variable that configures the server.
const variablePrefix = "DIY_"

// valueFormats describes the values of variables that are not plain text, for error messages.
var valueFormats = map[reflect.Type]string{
	reflect.TypeFor[bool]():           "true or false",
	reflect.TypeFor[int]():            "a whole number",
	reflect.TypeFor[*time.Duration](): "a time such as 5s",
}

// parseVariables reads the environment into the fields of c. A value that can't be parsed is reported under
// the name of its variable.
func (c *config) parseVariables(problems *configError) {
	err := env.ParseWithOptions(c, env.Options{Prefix: variablePrefix, Environment: c.environment})
	if err == nil {
		return
	}
	parseErrors, ok := errors.AsType[env.AggregateError](err)
	if !ok {
		problems.add("%v", err)
		return
	}
	for _, problem := range parseErrors.Errors {
		parseErr, ok := errors.AsType[env.ParseError](problem)
		if !ok || valueFormats[parseErr.Type] == "" {
			problems.add("%v", problem)
			continue
		}
		name := variableName(parseErr.Name)
		problems.add("%s must be %s, not %q", name, valueFormats[parseErr.Type], c.environment[name])
	}
}

// variableName returns the name of the variable that sets a field of config.
func variableName(field string) string {
	structField, ok := reflect.TypeFor[config]().FieldByName(field)
	if !ok {
		return field
	}
	return variablePrefix + structField.Tag.Get("env")
}

// toolVariables configure the tests and tools of the repository. A server that they start inherits them.
var toolVariables = []string{
	"DIY_BENCH_BARE", "DIY_CHROMIUM", "DIY_CRASH_AT", "DIY_CRASH_CLOCK", "DIY_DETAILS", "DIY_SERVER",
	"DIY_STRIPE_TEST_KEY", "DIY_TEST_AS_SERVER",
}

// injectedVariablePattern matches variables that Kubernetes and Docker set for a service called diy or diy-….
var injectedVariablePattern = regexp.MustCompile(
	`^DIY_(\w+_)?(SERVICE_HOST|SERVICE_PORT(_\w+)?|PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)=` +
		`|^DIY_(\w+_)?PORT=(tcp|udp|sctp)://`)

// checkVariableNames refuses unknown variables that begin with DIY_, because a misspelt one would leave its default in
// place without a message.
func (c config) checkVariableNames(problems *configError) {
	knownNames := append(c.variableNames(), toolVariables...)
	for _, name := range slices.Sorted(maps.Keys(c.environment)) {
		if !strings.HasPrefix(name, variablePrefix) || slices.Contains(knownNames, name) ||
			injectedVariablePattern.MatchString(name+"="+c.environment[name]) {
			continue
		}
		problems.add("%s is not a variable of diy", name)
	}
}

// variableNames returns the names of all variables that configure the server, those of all payment providers included.
func (c config) variableNames() []string {
	var names []string
	for field := range reflect.TypeFor[config]().Fields() {
		if tag, ok := field.Tag.Lookup("env"); ok {
			names = append(names, variablePrefix+tag)
		}
	}
	for _, provider := range slices.Sorted(maps.Keys(c.integrations)) {
		for _, setting := range c.integrations[provider].settingNames() {
			names = append(names, settingsPrefix(provider)+setting)
		}
	}
	return names
}
