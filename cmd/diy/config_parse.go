package main

import (
	"errors"
	"reflect"
	"time"

	"github.com/caarlos0/env/v11"
)

const prefix = "DIY_"

// forms say what a variable has to look like that is more than text.
var forms = map[reflect.Type]string{
	reflect.TypeFor[bool]():           "true or false",
	reflect.TypeFor[*time.Duration](): "a time such as 5s",
}

// parse reads the environment, and names every variable that can't be read as people set it.
func (c *config) parse(problems *configError) {
	err := env.ParseWithOptions(c, env.Options{Prefix: prefix, Environment: c.environment})
	for _, problem := range aggregated(err) {
		unread, is := errors.AsType[env.ParseError](problem)
		form := forms[unread.Type]
		if !is || form == "" {
			problems.add("%v", problem)
			continue
		}
		variable := variableOf(unread.Name)
		problems.add("%s must be %s, not %q", variable, form, c.environment[variable])
	}
}

func aggregated(err error) []error {
	if all, ok := errors.AsType[env.AggregateError](err); ok {
		return all.Errors
	}
	if err != nil {
		return []error{err}
	}
	return nil
}

// variableOf is what a field is read from.
func variableOf(field string) string {
	for _, holder := range []reflect.Type{reflect.TypeFor[config](), reflect.TypeFor[operation]()} {
		if found, is := holder.FieldByName(field); is {
			return prefix + found.Tag.Get("env")
		}
	}
	return field
}
