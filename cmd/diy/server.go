package main

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"time"

	"go.uber.org/fx"
)

// errServerStopped means that the server gave up by itself; the log says why.
var errServerStopped = errors.New("the server stopped by itself")

// server is an HTTP server, the public one or the operators'.
type server struct {
	listener net.Listener
	http     *http.Server
	log      *slog.Logger
}

// newServer serves everybody from start to stop of the application: at the start the address is
// taken already, at the stop requests under way are finished.
func newServer(
	life fx.Lifecycle, stop fx.Shutdowner, c config, listener net.Listener, handler http.Handler, ready *readiness, log *slog.Logger,
) *server {
	s := &server{listener: listener, log: log, http: publicHTTP(handler, log)}
	life.Append(fx.Hook{
		OnStart: func(context.Context) error {
			log.Info("listening", "addr", listener.Addr().String())
			s.start(stop)
			return nil
		},
		OnStop: func(ctx context.Context) error { return s.stop(ctx, ready, c.drain()) },
	})
	return s
}

// publicHTTP answers everything itself, OPTIONS * too, so that no answer lacks our headers.
func publicHTTP(handler http.Handler, log *slog.Logger) *http.Server {
	return &http.Server{
		Handler:                      handler,
		DisableGeneralOptionsHandler: true,
		ReadHeaderTimeout:            10 * time.Second,
		ReadTimeout:                  30 * time.Second,
		WriteTimeout:                 90 * time.Second, // the longest answer waits for the payment provider
		IdleTimeout:                  2 * time.Minute,
		MaxHeaderBytes:               32 << 10,
		ErrorLog:                     slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
}

func (s *server) start(stop fx.Shutdowner) {
	go func() {
		if err := s.http.Serve(s.listener); !errors.Is(err, http.ErrServerClosed) {
			s.log.Error("server stopped", "addr", s.listener.Addr().String(), "error", err)
			_ = stop.Shutdown(fx.ExitCode(1)) // it can only fail when the stop is under way already
		}
	}()
}

// stop says that the server stops, goes on for a while so that those who send requests here can
// take notice, and then finishes what is under way.
func (s *server) stop(ctx context.Context, ready *readiness, drain time.Duration) error {
	ready.stopping.Store(true)
	s.log.Info("stopping", "drain", drain.String())
	noticed, cancel := context.WithTimeout(ctx, drain)
	defer cancel()
	<-noticed.Done()
	return s.http.Shutdown(ctx)
}
