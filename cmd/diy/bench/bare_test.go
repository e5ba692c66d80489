package bench

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// bareEnv is an environment variable. If it is set, the test binary is a bare server, and the value is its
// response in JSON.
const bareEnv = "DIY_BENCH_BARE"

// bareResponse contains the response that a bare server sends to every request, with as little work as possible.
type bareResponse struct {
	Header http.Header
	Body   []byte
}

// startBare starts a server in its own process that sends the bytes of the response to the request.
func startBare(b *testing.B, r *http.Request) *server {
	b.Helper()
	got, err := http.DefaultTransport.RoundTrip(r)
	require.NoError(b, err)
	body, err := io.ReadAll(got.Body)
	require.NoError(b, err)
	require.NoError(b, got.Body.Close())
	got.Header.Del("Date") // added by the server
	text, err := json.Marshal(bareResponse{got.Header, body})
	require.NoError(b, err)
	program, err := os.Executable()
	require.NoError(b, err)
	return start(b, program, bareEnv+"="+string(text))
}

// serveBare serves until the process is killed.
func serveBare(response string) {
	var bare bareResponse
	must(json.Unmarshal([]byte(response), &bare))
	listener, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", "127.0.0.1:0")
	must(err)
	slog.New(slog.NewJSONHandler(os.Stderr, nil)).Info("listening", "addr", listener.Addr().String())
	must(http.Serve(listener, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		maps.Copy(w.Header(), bare.Header)
		_, _ = w.Write(bare.Body) // the client may be gone
	})))
}
