package main

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"time"
)

// stopPatience is how long requests under way may take when it is told to stop.
const stopPatience = 5 * time.Second

// serve answers until ctx ends, and then leaves everything on disk.
func serve(ctx context.Context, s settings, log *slog.Logger) error {
	machine, handler, err := openMachine(s, log)
	if err != nil {
		return err
	}
	served := errors.Join(machine.Start(ctx), answer(ctx, s.addr, handler, log))
	stopping, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopPatience)
	defer cancel()
	return errors.Join(served, machine.Stop(stopping))
}

func answer(ctx context.Context, addr string, handler http.Handler, log *slog.Logger) error {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", addr)
	if err != nil {
		return err
	}
	log.Info("listening", "addr", listener.Addr().String())
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
		return shutDown(ctx, server)
	}
}

// shutDown cuts off whoever still waits, such as one that a fault keeps waiting.
func shutDown(ctx context.Context, server *http.Server) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopPatience)
	defer cancel()
	if server.Shutdown(ctx) == nil {
		return nil
	}
	return server.Close()
}
