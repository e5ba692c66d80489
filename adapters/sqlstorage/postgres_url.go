package sqlstorage

import (
	"errors"
	"strings"

	"github.com/jackc/pgx/v5"
)

// parsePostgres reads an URL of PostgreSQL's. It names its host and its database itself, so that
// nothing is connected to by accident; libpq's variables and files may add the rest, such as the
// password. Where a reserved character in a password makes an URL mean something else, that is
// refused as well: what looks like a host or a name would be quoted by errors.
func parsePostgres(text string) (*pgx.ConnConfig, error) {
	base, options, _ := strings.Cut(text, "?")
	_, rest, _ := strings.Cut(base, "://")
	authority, name, _ := strings.Cut(rest, "/")
	_, host, signedIn := strings.Cut(authority, "@")
	if !signedIn {
		host = authority
	}
	switch _, err := pgx.ParseConfig(base); {
	case err != nil, strings.ContainsAny(host+name, "@/#"):
		return nil, wrongURL("The database's URL must read postgres://USER:PASSWORD@HOST/NAME, " +
			"with %2F for / in the password, %40 for @, %3F for ? and %23 for #")
	case name == "":
		return nil, wrongURL("The database's URL names no database: write postgres://USER:PASSWORD@HOST/NAME")
	case host == "" && !strings.Contains("&"+options, "&host="):
		return nil, wrongURL("The database's URL names no host: write postgres://USER:PASSWORD@HOST/NAME")
	}
	config, err := pgx.ParseConfig(text)
	if err != nil {
		return nil, wrongURL("The database's URL has an option that can't be used" + reason(err, options))
	}
	return config, nil
}

// reason is what is wrong with the options, such as a file that is missing. It is not told where
// a password may be among them, be it as an option or by a misplaced question mark.
func reason(err error, options string) string {
	secret := strings.Contains(options, "password") || strings.ContainsAny(options, ":@")
	if inner := errors.Unwrap(err); inner != nil && !secret {
		return ": " + inner.Error()
	}
	return ""
}
