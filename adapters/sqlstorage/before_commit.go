//go:build crashpoints

package sqlstorage

// BeforeCommit is called whenever a transaction has written everything and is about to keep it. It
// is to be set before a store is used.
var BeforeCommit = func() {}

func beforeCommit(fn func(conn) error) func(conn) error {
	return func(c conn) error {
		err := fn(c)
		if err == nil {
			BeforeCommit()
		}
		return err
	}
}
