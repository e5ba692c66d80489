package diycmd

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/http/pprof"
	"sync/atomic"
	"time"

	"go.uber.org/fx"

	"github.com/vc-admin/diy/adapters/console"
	"github.com/vc-admin/diy/adapters/metrics"
	"github.com/vc-admin/diy/adapters/sqlstorage"
	"github.com/vc-admin/diy/domain/fault"
)

// readyTimeout limits the database checks of /readyz.
const readyTimeout = 3 * time.Second

// writeTimeout limits a response. The slowest ones wait for the payment provider.
const writeTimeout = 90 * time.Second

// errServerStopped means that the HTTP server stopped unexpectedly. The log contains the reason.
var errServerStopped = errors.New("the server stopped unexpectedly")

// httpServer is the public HTTP server or the admin server, on an open listener.
type httpServer struct {
	listener net.Listener
	http     *http.Server
	log      *slog.Logger
}

// newPublicServer returns the public server, which runs from start to stop of the application.
func newPublicServer(
	lifecycle fx.Lifecycle, shutdowner fx.Shutdowner, c config, listener net.Listener, handler http.Handler, ready *readiness,
	log *slog.Logger,
) *httpServer {
	s := &httpServer{listener: listener, log: log, http: newHTTPServer(handler, log)}
	s.http.WriteTimeout = writeTimeout
	lifecycle.Append(fx.Hook{
		OnStart: func(context.Context) error {
			log.Info("listening", "addr", listener.Addr().String())
			s.start(shutdowner)
			return nil
		},
		OnStop: func(ctx context.Context) error { return s.stop(ctx, ready, c.drainTime()) },
	})
	return s
}

// newHTTPServer returns a server that passes all requests to the handler, even OPTIONS *, so that all responses have the
// security headers.
func newHTTPServer(handler http.Handler, log *slog.Logger) *http.Server {
	return &http.Server{
		Handler:                      handler,
		DisableGeneralOptionsHandler: true,
		ReadHeaderTimeout:            10 * time.Second,
		ReadTimeout:                  30 * time.Second,
		WriteTimeout:                 30 * time.Second,
		IdleTimeout:                  2 * time.Minute,
		MaxHeaderBytes:               32 << 10,
		ErrorLog:                     slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
}

// start serves in the background. If serving fails, it shuts the application down.
func (s *httpServer) start(shutdowner fx.Shutdowner) {
	go func() {
		if err := s.http.Serve(s.listener); !errors.Is(err, http.ErrServerClosed) {
			s.log.Error("server stopped", "addr", s.listener.Addr().String(), "error", err)
			_ = shutdowner.Shutdown(fx.ExitCode(1)) // fails only if the application is stopping already
		}
	}()
}

// stop makes /readyz fail and keeps serving for the drain time, so that load balancers send no further requests. Then it
// waits for the requests in progress.
func (s *httpServer) stop(ctx context.Context, ready *readiness, drain time.Duration) error {
	ready.isStopping.Store(true)
	s.log.Info("stopping", "drain", drain.String())
	drainCtx, cancel := context.WithTimeout(ctx, drain)
	defer cancel()
	<-drainCtx.Done()
	return s.http.Shutdown(ctx)
}

// readiness implements /readyz.
type readiness struct {
	store      *sqlstorage.Store
	isStopping atomic.Bool
}

func newReadiness(store *sqlstorage.Store) *readiness { return &readiness{store: store} }

// checkReady returns an error if requests can't be served, because the server is stopping, or the database is
// unreachable, not migrated or read-only.
func (r *readiness) checkReady(request *http.Request) error {
	if r.isStopping.Load() {
		return fault.New(fault.Unavailable, "The server is stopping")
	}
	ctx, cancel := context.WithTimeout(request.Context(), readyTimeout)
	defer cancel()
	if err := r.store.Ready(ctx); err != nil {
		return err
	}
	return r.store.CheckWritable(ctx)
}

// adminListener contains the listener of the admin server, or nil if DIY_ADMIN_ADDR is empty.
type adminListener struct{ net.Listener }

// runAdminServer serves metrics, profiles and the console to operators. It must be the first fx.Invoke. The admin server
// then starts first and stops last, so that operators can observe a stopping server.
func runAdminServer(
	lifecycle fx.Lifecycle, shutdowner fx.Shutdowner, c config, listener adminListener, public http.Handler,
	operatorConsole *console.Console, m *metrics.Metrics, log *slog.Logger,
) {
	if listener.Listener == nil {
		return
	}
	if !isPrivateAddress(listener.Addr()) {
		log.Warn("the admin address may be reachable from other machines; its metrics and profiles need no authentication",
			"addr", listener.Addr().String())
	}
	s := &httpServer{listener: listener, log: log, http: newHTTPServer(withAdminHeaders(newAdminMux(public, adminConsole(c, operatorConsole), m)), log)}
	s.http.WriteTimeout = writeTimeout
	lifecycle.Append(fx.Hook{
		OnStart: func(context.Context) error {
			log.Info("listening for operators", "addr", listener.Addr().String())
			s.start(shutdowner)
			return nil
		},
		OnStop: func(context.Context) error { return s.http.Close() }, // aborts requests in progress
	})
}

// newAdminMux returns a handler of the admin routes and of the console, which may be nil.
func newAdminMux(public, operatorConsole http.Handler, m *metrics.Metrics) http.Handler {
	mux := http.NewServeMux()
	if operatorConsole != nil {
		mux.Handle(console.Path, operatorConsole)
		mux.Handle(console.Path+"/", operatorConsole)
	}
	for pattern, handler := range adminRoutes(public, m) {
		mux.Handle(pattern, handler)
	}
	return mux
}

// adminRoutes returns the metrics, the profiles and the public server's health checks.
func adminRoutes(public http.Handler, m *metrics.Metrics) map[string]http.Handler {
	return map[string]http.Handler{
		"GET /metrics":         m.Handler(),
		"GET /healthz":         public,
		"GET /readyz":          public,
		"/debug/pprof/":        http.HandlerFunc(pprof.Index),
		"/debug/pprof/cmdline": http.HandlerFunc(pprof.Cmdline),
		"/debug/pprof/profile": http.HandlerFunc(pprof.Profile),
		"/debug/pprof/trace":   http.HandlerFunc(pprof.Trace),
		"/debug/pprof/symbol":  http.HandlerFunc(pprof.Symbol),
	}
}

// withAdminHeaders sets headers that keep browsers from rendering or storing admin responses.
func withAdminHeaders(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("Cache-Control", "no-store")
		next.ServeHTTP(w, r)
	})
}

// addressesConflict reports whether two listen addresses conflict. Port 0 means any free port.
func addressesConflict(a, b string) bool {
	aHost, aPort, _ := net.SplitHostPort(a)
	bHost, bPort, _ := net.SplitHostPort(b)
	if aPort != bPort || aPort == "0" {
		return false
	}
	return aHost == bHost || isAnyHost(aHost) || isAnyHost(bHost)
}

// isAnyHost reports whether the host of a listen address means all addresses of this machine.
func isAnyHost(host string) bool {
	ip := net.ParseIP(host)
	return host == "" || ip != nil && ip.IsUnspecified()
}

// isPrivateAddress reports whether only this machine or a private network can reach the address.
func isPrivateAddress(addr net.Addr) bool {
	tcp, ok := addr.(*net.TCPAddr)
	return ok && (tcp.IP.IsLoopback() || tcp.IP.IsPrivate() || tcp.IP.IsLinkLocalUnicast())
}
