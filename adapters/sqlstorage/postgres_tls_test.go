package sqlstorage_test

import (
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/sqlstorage"
	"github.com/vc-admin/diy/domain/fault"
)

// Which server is connected to, and which is not, is up to the URL.
func TestPostgresOverTLS(t *testing.T) {
	database := postgresKind.ready(t)
	server, stranger := certify(t, "127.0.0.1"), certify(t, "127.0.0.1")
	elsewhere := certify(t, "elsewhere.test")
	for name, c := range map[string]struct {
		server  certificate
		options url.Values
		refusal string // "" for none
	}{
		"encrypted":                  {server, url.Values{"sslmode": {"require"}}, ""},
		"of an authority named":      {elsewhere, url.Values{"sslmode": {"verify-ca"}, "sslrootcert": {elsewhere.file}}, ""},
		"of that and of this name":   {server, url.Values{"sslmode": {"verify-full"}, "sslrootcert": {server.file}}, ""},
		"of a stranger's authority":  {server, url.Values{"sslmode": {"verify-ca"}, "sslrootcert": {stranger.file}}, "unknown authority"},
		"of an authority unheard of": {server, url.Values{"sslmode": {"verify-full"}}, "unknown authority"},
		"of another name":            {elsewhere, url.Values{"sslmode": {"verify-full"}, "sslrootcert": {elsewhere.file}}, "certificate for 127.0.0.1"},
		"in the clear":               {server, url.Values{"sslmode": {"disable"}}, "no encryption"},
	} {
		t.Run(name, func(t *testing.T) {
			address, _ := behindTLS(t, database, c.server)
			s, err := sqlstorage.Open(t.Context(), address+"?"+c.options.Encode())
			if c.refusal == "" {
				require.NoError(t, err)
				require.NoError(t, s.Ready(t.Context()))
				require.NoError(t, s.Close())
				return
			}
			require.Equal(t, fault.Unavailable, fault.CodeOf(err))
			require.ErrorContains(t, err, c.refusal)
			require.NotContains(t, err.Error(), "s3cr3t")
		})
	}
}

// A server that is told to stop after its database went away stops in peace.
func TestPostgresConnectionsThatBrokeOverTLSCloseInPeace(t *testing.T) {
	database := postgresKind.ready(t)
	address, serving := behindTLS(t, database, certify(t, "127.0.0.1"))
	s, err := sqlstorage.Open(t.Context(), address+"?sslmode=require")
	require.NoError(t, err)
	cut(t, opened(t, database+"&application_name=killer"))
	serving.Wait()
	require.NoError(t, s.Close())
}
