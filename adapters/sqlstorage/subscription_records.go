package sqlstorage

import (
	"time"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/money"
)

// replacedChangeRecord is the JSON of a scheduled change that a pending change replaces.
type replacedChangeRecord struct {
	Product  string             `json:"product"`
	Interval catalogue.Interval `json:"interval"`
	Currency string             `json:"currency"`
	Amount   *int64             `json:"amount,omitempty"` // in minor units; absent when unknown
	At       time.Time          `json:"at"`
}

// marshalReplacedChange returns NULL if no change is replaced.
func marshalReplacedChange(c *billing.ScheduledChange) nullString {
	if c == nil {
		return nullString{}
	}
	r := replacedChangeRecord{
		Product: c.To.Product, Interval: c.To.Interval, Currency: c.To.Currency, At: newTimestamp(c.At).time,
	}
	if c.Amount != (money.Amount{}) {
		r.Amount = new(c.Amount.Minor())
	}
	return marshalColumn(r)
}

func unmarshalReplacedChange(column nullString) *billing.ScheduledChange {
	r, ok := unmarshalColumn[replacedChangeRecord](column)
	if !ok {
		return nil
	}
	change := &billing.ScheduledChange{
		To: catalogue.PriceRef{Product: r.Product, Interval: r.Interval, Currency: r.Currency}, At: r.At,
	}
	if r.Amount != nil {
		change.Amount = newAmount(nullInt64{V: *r.Amount, Valid: true}, notNull(r.Currency))
	}
	return change
}

// nextActionRecord is the JSON of a next action, without its credentials.
type nextActionRecord struct {
	Kind         billing.NextActionKind `json:"kind"`
	InvoiceID    string                 `json:"invoice,omitempty"`
	Instructions []billing.Instruction  `json:"instructions,omitempty"`
	Until        time.Time              `json:"until,omitzero"`
	Reason       string                 `json:"reason,omitempty"`
	Method       *methodRecord          `json:"method,omitempty"`
}

// methodRecord is the JSON of the details of a payment method that customers see.
type methodRecord struct {
	ID       string             `json:"id"`
	Kind     billing.MethodKind `json:"kind,omitempty"`
	Label    string             `json:"label,omitempty"`
	Brand    string             `json:"brand,omitempty"`
	Last4    string             `json:"last4,omitempty"`
	ExpMonth int                `json:"exp_month,omitempty"`
	ExpYear  int                `json:"exp_year,omitempty"`
}

func newMethodRecord(m *billing.PaymentMethod) *methodRecord {
	if m == nil {
		return nil
	}
	return &methodRecord{m.ID, m.Kind, m.Label, m.Card.Brand, m.Card.Last4, m.Card.ExpMonth, m.Card.ExpYear}
}

func (r *methodRecord) method() *billing.PaymentMethod {
	if r == nil {
		return nil
	}
	card := billing.Card{Brand: r.Brand, Last4: r.Last4, ExpMonth: r.ExpMonth, ExpYear: r.ExpYear}
	return &billing.PaymentMethod{ID: r.ID, Kind: r.Kind, Label: r.Label, Card: card}
}

// marshalNextAction returns NULL if there is nothing to do.
func marshalNextAction(n billing.NextAction) nullString {
	if n.Kind == billing.NoAction {
		return nullString{}
	}
	return marshalColumn(nextActionRecord{
		n.Kind, n.InvoiceID, n.Instructions, newTimestamp(n.Until).time, n.Reason, newMethodRecord(n.Method),
	})
}

// unmarshalNextAction returns no action for JSON that it can't read, which a later version may have written. The next
// refresh from the provider replaces the stored action.
func unmarshalNextAction(column nullString) billing.NextAction {
	record, ok := unmarshalColumn[nextActionRecord](column)
	if !ok {
		return billing.NextAction{}
	}
	return billing.NextAction{
		Kind: record.Kind, InvoiceID: record.InvoiceID, Instructions: record.Instructions, Until: record.Until, Reason: record.Reason,
		Method: record.Method.method(),
	}
}

// pauseRecord is the JSON of a pause.
type pauseRecord struct {
	Until time.Time `json:"until,omitzero"`
}

// marshalPause returns NULL without a pause.
func marshalPause(p *billing.Pause) nullString {
	if p == nil {
		return nullString{}
	}
	return marshalColumn(pauseRecord{newTimestamp(p.Until).time})
}

func unmarshalPause(column nullString) *billing.Pause {
	record, ok := unmarshalColumn[pauseRecord](column)
	if !ok {
		return nil
	}
	return &billing.Pause{Until: record.Until}
}
