package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"time"
)

// healthPatience is how long a server that is well may take to say so.
const healthPatience = 5 * time.Second

// health asks the server at DIY_ADDR, on this machine, whether it is alive: for containers, which
// may have nothing else in them that could ask.
func health(ctx context.Context, io stdio, args []string) error {
	if err := parse(flags(io, "health", "Asks the server at DIY_ADDR whether it is alive; the exit code tells."), args); err != nil {
		return err
	}
	c, err := loadConfig(io.env)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, healthPatience)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+fromHere(c.Addr)+"/healthz", nil)
	if err != nil {
		return err
	}
	answer, err := (&http.Client{}).Do(r)
	if err != nil {
		return err
	}
	_ = answer.Body.Close() // it was only asked for its status
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("the server answered %s", answer.Status)
	}
	return nil
}

// fromHere is the address by which this machine itself reaches a server.
func fromHere(addr string) string {
	host, port, _ := net.SplitHostPort(addr)
	if anyHost(host) {
		host = "127.0.0.1" // needs no name looked up
	}
	return net.JoinHostPort(host, port)
}
