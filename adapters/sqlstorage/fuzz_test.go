package sqlstorage_test

import (
	"net/url"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/adapters/sqlstorage"
	"github.com/vc-admin/diy/domain/fault"
)

// Whatever is configured for a database, it is an URL or told to be none, and the password is not
// told.
func FuzzCheckURL(f *testing.F) {
	for _, seed := range []string{"", "sqlite:", "sqlite://x", "postgres://", "postgres://ada:", "postgres://ada:%zz@", "host=x", "postgres://h/n?port=x&", "postgres://h/n?=&"} {
		f.Add(seed, "@host/name?sslmode=odd")
	}
	const password = "Pa55word-of-ada"
	f.Fuzz(func(t *testing.T, before, after string) {
		for _, text := range []string{before + after, "postgres://ada:" + password + after, before + url.UserPassword("ada", password).String() + after} {
			if err := sqlstorage.CheckURL(text); err != nil {
				assert.Equal(t, fault.Invalid, fault.CodeOf(err))
				assert.NotContains(t, err.Error(), password)
			}
		}
	})
}
