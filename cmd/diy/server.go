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

// server is the public HTTP server.
type server struct {
	listener net.Listener
	http     *http.Server
	log      *slog.Logger
}

// newServer serves from start to stop of the application: at the start the address is taken
// already, at the stop requests under way are finished.
func newServer(life fx.Lifecycle, stop fx.Shutdowner, listener net.Listener, handler http.Handler, log *slog.Logger) *server {
	s := &server{listener: listener, log: log, http: &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       30 * time.Second,
		WriteTimeout:      90 * time.Second, // the longest answer waits for the payment provider
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    32 << 10,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}}
	life.Append(fx.Hook{
		OnStart: func(context.Context) error { s.start(stop); return nil },
		OnStop:  s.http.Shutdown,
	})
	return s
}

func (s *server) start(stop fx.Shutdowner) {
	s.log.Info("listening", "addr", s.listener.Addr().String())
	go func() {
		if err := s.http.Serve(s.listener); !errors.Is(err, http.ErrServerClosed) {
			s.log.Error("server stopped", "error", err)
			_ = stop.Shutdown(fx.ExitCode(1)) // it can only fail when the stop is under way already
		}
	}()
}
