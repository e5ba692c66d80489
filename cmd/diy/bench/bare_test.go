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

// bareServerVariable is the environment variable with which the test binary runs as a bare server. Its value is the
// server's response in JSON.
const bareServerVariable = "DIY_BENCH_BARE"

// bareResponse is the response of a bare server to every request.
type bareResponse struct {
	Header http.Header
	Body   []byte
}

// startBareServer sends the request and starts a bare server with the response in another process.
func startBareServer(b *testing.B, r *http.Request) *server {
	b.Helper()
	response, err := http.DefaultTransport.RoundTrip(r)
	require.NoError(b, err)
	body, err := io.ReadAll(response.Body)
	require.NoError(b, err)
	require.NoError(b, response.Body.Close())
	response.Header.Del("Date") // the bare server adds it
	text, err := json.Marshal(bareResponse{response.Header, body})
	require.NoError(b, err)
	program, err := os.Executable()
	require.NoError(b, err)
	return startProcess(b, program, bareServerVariable+"="+string(text))
}

// serveBareResponse serves the response until the process is killed, with as little work as possible.
func serveBareResponse(response string) {
	var res bareResponse
	must(json.Unmarshal([]byte(response), &res))
	listener, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", "127.0.0.1:0")
	must(err)
	slog.New(slog.NewJSONHandler(os.Stderr, nil)).Info("listening", "addr", listener.Addr().String())
	must(http.Serve(listener, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		maps.Copy(w.Header(), res.Header)
		_, _ = w.Write(res.Body) // the client may have disconnected
	})))
}
