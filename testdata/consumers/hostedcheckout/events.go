package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

var _ payment.Worker = (*provider)(nil)

// eventBatch is the body of a webhook request. It is not signed, because the application reads the named objects from the
// provider.
type eventBatch struct {
	Events []event `json:"events"`
}

type event struct {
	ID           string            `json:"id"`
	Kind         payment.EventKind `json:"resource"`
	Type         string            `json:"type"`
	Customer     string            `json:"customer"`
	Subscription string            `json:"subscription,omitempty"`
	Invoices     []string          `json:"invoices,omitempty"`
	CreatedAt    time.Time         `json:"created_at"`
}

// ParseEvents returns the events of a batch. Each event names its customer, so ParseEvents needs no request to the
// provider.
func (p *provider) ParseEvents(_ context.Context, delivery payment.Delivery) ([]payment.Event, error) {
	var batch eventBatch
	if err := json.Unmarshal(delivery.Body, &batch); err != nil || len(batch.Events) == 0 {
		return nil, fault.New(fault.Invalid, "This is not a batch of events.")
	}
	events := make([]payment.Event, 0, len(batch.Events))
	for _, e := range batch.Events {
		if e.ID == "" || e.Type == "" {
			return nil, fault.New(fault.Invalid, "This is not an event.")
		}
		events = append(events, payment.Event{
			ID: e.ID, Kind: e.Kind, Type: e.Type, CustomerID: e.Customer, SubscriptionID: e.Subscription, InvoiceIDs: e.Invoices,
			CreatedAt: e.CreatedAt, Unsigned: true,
		})
	}
	return events, nil
}

// queueEvent queues an event of the fake provider.
func (p *provider) queueEvent(ctx context.Context, payload []byte, signature string) error {
	events, err := p.Provider.ParseEvents(ctx, fakepayment.NewDelivery(payload, signature))
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, e := range events {
		p.events = append(p.events, event{e.ID, e.Kind, e.Type, e.CustomerID, e.SubscriptionID, e.InvoiceIDs, e.CreatedAt})
	}
	return err
}

// Tick processes what is due, sends the events since the last batch to the webhook and returns their number. It does not
// call its report function, because the application gets all changes from the webhook.
func (p *provider) Tick(ctx context.Context, _ func(context.Context, payment.Event) error) (count int, err error) {
	if err := p.Drain(ctx); err != nil {
		return 0, err
	}
	p.mu.Lock()
	events := p.events
	p.mu.Unlock()
	if len(events) == 0 {
		return 0, nil
	}
	if err := p.send(ctx, eventBatch{events}); err != nil {
		return 0, err // the next Tick sends the events again
	}
	p.mu.Lock()
	p.events = p.events[len(events):]
	p.mu.Unlock()
	return len(events), nil
}

// send posts a batch to the webhook.
func (p *provider) send(ctx context.Context, batch eventBatch) error {
	body, err := json.Marshal(batch)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, p.webhookURL, bytes.NewReader(body))
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("the application refused a batch of events: %s", response.Status)
	}
	return nil
}
