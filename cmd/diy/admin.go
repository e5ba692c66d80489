package main

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"net/http/pprof"
	"time"

	"go.uber.org/fx"

	"github.com/vc-admin/diy/adapters/metrics"
)

// adminListener is where operators ask; its Listener is nil when they don't.
type adminListener struct{ net.Listener }

// runAdmin serves what is for operators and their tools only. It is the first to come and the last
// to go, so that a server that is stopping can be watched to its end.
func runAdmin(life fx.Lifecycle, stop fx.Shutdowner, listener adminListener, face http.Handler, m *metrics.Metrics, log *slog.Logger) {
	if listener.Listener == nil {
		return
	}
	if !nearby(listener.Addr()) {
		log.Warn("the admin address may be reached from elsewhere: anybody who reaches it can read metrics and profiles", "addr", listener.Addr().String())
	}
	s := &server{listener: listener, log: log, http: &http.Server{
		Handler:                      forTools(adminRoutes(face, m)),
		DisableGeneralOptionsHandler: true,
		ReadHeaderTimeout:            10 * time.Second,
		ReadTimeout:                  30 * time.Second,
		WriteTimeout:                 30 * time.Second, // a profile may take as long again as it is asked to
		IdleTimeout:                  2 * time.Minute,
		MaxHeaderBytes:               32 << 10,
		ErrorLog:                     slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}}
	life.Append(fx.Hook{
		OnStart: func(context.Context) error {
			log.Info("listening for operators", "addr", listener.Addr().String())
			s.start(stop)
			return nil
		},
		OnStop: func(context.Context) error { return s.http.Close() }, // nobody is waited for here
	})
}

// forTools tells browsers, which have no business here, to do nothing with an answer and to keep none.
func forTools(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("Cache-Control", "no-store")
		next.ServeHTTP(w, r)
	})
}

// adminRoutes are the metrics, the profiles, and the public server's own word on how it is.
func adminRoutes(face http.Handler, m *metrics.Metrics) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", m.Handler())
	mux.Handle("GET /healthz", face)
	mux.Handle("GET /readyz", face)
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/cmdline", pprof.Cmdline)
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
	mux.HandleFunc("/debug/pprof/symbol", pprof.Symbol)
	return mux
}
