package metrics

import (
	"context"

	"github.com/vc-admin/diy/ports/mail"
)

// Sender counts what becomes of the letters that go through it.
func (m *Metrics) Sender(next mail.Sender) mail.Sender { return sender{next, m} }

type sender struct {
	next    mail.Sender
	metrics *Metrics
}

// Send is counted.
func (s sender) Send(ctx context.Context, letter mail.Message) error {
	err := s.next.Send(ctx, letter)
	s.metrics.letters.WithLabelValues(outcomeOf(err)).Inc()
	return err
}
