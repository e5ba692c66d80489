package main

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"time"
)

// webhook is where events are sent.
type webhook struct {
	url    string
	client *http.Client
}

func newWebhook(url string) webhook {
	return webhook{url: url, client: &http.Client{Timeout: 20 * time.Second}}
}

// deliver sends one event; anything but a 2xx means that it was not taken.
func (h webhook) deliver(ctx context.Context, payload []byte, signature string) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, h.url, bytes.NewReader(payload))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Stripe-Signature", signature)
	answer, err := h.client.Do(r)
	if err != nil {
		return err
	}
	_ = answer.Body.Close() // what it says does not matter
	if answer.StatusCode/100 != 2 {
		return fmt.Errorf("%s answered %s", h.url, answer.Status)
	}
	return nil
}
