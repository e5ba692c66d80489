package sqlstorage

import (
	"context"
	"crypto/rand"
)

const (
	// secretSize is how many random bytes a secret has.
	secretSize = 32

	insertSecret = "INSERT INTO secrets (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING" //nolint:gosec // no credential in it
	selectSecret = "SELECT value FROM secrets WHERE name = ?"                               //nolint:gosec // no credential in it
)

// Secret returns 32 random bytes under the name: the same ones for every server on this database,
// made by whichever asks first.
func (s *Store) Secret(ctx context.Context, name string) ([]byte, error) {
	made := make([]byte, secretSize)
	_, _ = rand.Read(made) // never fails
	var kept []byte
	err := s.write(ctx, func(c conn) error {
		if _, err := c.exec(ctx, insertSecret, name, made); err != nil {
			return err
		}
		return c.get(ctx, "secret", &kept, selectSecret, name)
	})
	return kept, err
}
