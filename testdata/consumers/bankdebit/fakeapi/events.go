package fakeapi

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
)

// listEvents lists the events after the one in the query, filtered by its links and action, in the order in which they
// happened.
func (s *Server) listEvents(r *http.Request, _ event) (list []event, _ *apiError) {
	const limit = 50
	query := r.URL.Query()
	first := slices.IndexFunc(s.events, func(e event) bool { return e.ID == query.Get("after") }) + 1
	for _, e := range s.events[first:] {
		isSelected := matches(query.Get("payment"), e.Links["payment"]) && matches(query.Get("action"), e.Action) &&
			matches(query.Get("billing_request"), e.Links["billing_request"])
		if isSelected && len(list) < limit {
			list = append(list, e)
		}
	}
	return list, nil
}

func matches(filter, value string) bool { return filter == "" || filter == value }

// Deliver sends the events that the webhook has not accepted yet in one signed batch. If the webhook refuses the batch, the
// next call sends the events again.
func (s *Server) Deliver(ctx context.Context, client *http.Client, webhookURL string) error {
	s.lockAndAdvance()
	events := slices.Clone(s.events[s.deliveredCount:])
	s.mu.Unlock()
	if len(events) == 0 {
		return nil
	}
	body, err := json.Marshal(map[string]any{"events": events})
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, webhookURL, bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header = Sign(body, s.config.WebhookSecret)
	response, err := client.Do(req)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("the webhook refused the events: %s", response.Status)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.deliveredCount += len(events)
	return nil
}

// Sign returns the header of a delivery of the body, with its signature.
func Sign(body []byte, secret string) http.Header {
	digest := hmac.New(sha256.New, []byte(secret))
	digest.Write(body)
	return http.Header{"Content-Type": {"application/json"}, "Webhook-Signature": {hex.EncodeToString(digest.Sum(nil))}}
}
