package main

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"time"
)

// webhook is the endpoint that events are sent to.
type webhook struct {
	url    string
	client *http.Client
}

func newWebhook(url string) webhook {
	return webhook{url: url, client: &http.Client{Timeout: 20 * time.Second}}
}

// deliver sends one event. Every status but 2xx is an error.
func (w webhook) deliver(ctx context.Context, payload []byte, signature string) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, w.url, bytes.NewReader(payload))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Stripe-Signature", signature)
	response, err := w.client.Do(r)
	if err != nil {
		return err
	}
	_ = response.Body.Close() // the body is not used
	if response.StatusCode/100 != 2 {
		return fmt.Errorf("%s responded with %s", w.url, response.Status)
	}
	return nil
}
