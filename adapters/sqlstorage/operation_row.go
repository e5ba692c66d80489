package sqlstorage

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/money"
)

var operations = tableOf[operationRow]("operations")

// operationRow is something we ask of the payment provider.
type operationRow struct {
	Key            string  `db:"key"`
	OrganisationID string  `db:"organisation_id"`
	Kind           string  `db:"lane"`
	Fingerprint    string  `db:"fingerprint"`
	Steps          string  `db:"steps"` // JSON; "" for none
	CreatedAt      instant `db:"created_at"`
	BeganAt        instant `db:"began_at"` // by the database's clock
	SettledAt      instant `db:"settled_at"`
	Result         string  `db:"result"`
}

// pendingRowOf is an operation that begins: nothing has become of it yet.
func pendingRowOf(o billing.Operation) (operationRow, error) {
	steps, err := textOfSteps(o.Steps)
	return operationRow{
		Key: o.Key, OrganisationID: o.OrganisationID, Kind: string(o.Kind),
		Fingerprint: o.Fingerprint, Steps: steps, CreatedAt: at(o.CreatedAt),
	}, err
}

// operation returns the operation, with its age at an instant of the database's clock.
func (r operationRow) operation(now time.Time) (billing.Operation, error) {
	steps, err := stepsOfText(r.Steps)
	o := billing.Operation{
		Key: r.Key, OrganisationID: r.OrganisationID, Kind: billing.OperationKind(r.Kind),
		Fingerprint: r.Fingerprint, Steps: steps, CreatedAt: r.CreatedAt.t, SettledAt: r.SettledAt.t, Result: r.Result,
	}
	if o.Pending() {
		o.Age = now.Sub(r.began())
	}
	return o, err
}

// began is when the operation began, by the clock of the database if it was asked.
func (r operationRow) began() time.Time {
	if r.BeganAt.t.IsZero() {
		return r.CreatedAt.t
	}
	return r.BeganAt.t
}

// stepRecord is a step as it is stored.
type stepRecord struct {
	Kind           string             `json:"kind"`
	Key            string             `json:"key"`
	CustomerID     string             `json:"customer,omitempty"`
	SubscriptionID string             `json:"subscription,omitempty"`
	InvoiceID      string             `json:"invoice,omitempty"`
	CardID         string             `json:"card,omitempty"`
	Amount         int64              `json:"amount,omitempty"`
	Currency       string             `json:"currency,omitempty"` // of the amount
	From           catalogue.PriceRef `json:"from,omitzero"`
	Price          catalogue.PriceRef `json:"price,omitzero"`
	TrialDays      int                `json:"trial_days,omitempty"`
	First          bool               `json:"first,omitempty"`
	KeepDefault    bool               `json:"keep_default,omitempty"`
	EndTrial       bool               `json:"end_trial,omitempty"`
	At             time.Time          `json:"at,omitzero"`
}

func textOfSteps(steps []billing.Step) (string, error) {
	if len(steps) == 0 {
		return "", nil
	}
	records := make([]stepRecord, len(steps))
	for i, s := range steps {
		records[i] = stepRecord{
			Kind: string(s.Kind), Key: s.Key, CustomerID: s.CustomerID, SubscriptionID: s.SubscriptionID,
			InvoiceID: s.InvoiceID, CardID: s.CardID, Amount: s.Amount.Minor(), Currency: s.Amount.Currency().Code,
			From: s.From, Price: s.Price, TrialDays: s.TrialDays, First: s.First, KeepDefault: s.KeepDefault, EndTrial: s.EndTrial, At: s.At.UTC(),
		}
	}
	text, err := json.Marshal(records)
	return string(text), err
}

func stepsOfText(text string) ([]billing.Step, error) {
	if text == "" {
		return nil, nil
	}
	var records []stepRecord
	if err := json.Unmarshal([]byte(text), &records); err != nil {
		return nil, fmt.Errorf("the steps of an operation can't be read: %w", err)
	}
	steps := make([]billing.Step, len(records))
	for i, r := range records {
		s := billing.Step{
			Kind: billing.StepKind(r.Kind), Key: r.Key, CustomerID: r.CustomerID, SubscriptionID: r.SubscriptionID,
			InvoiceID: r.InvoiceID, CardID: r.CardID,
			From: r.From, Price: r.Price, TrialDays: r.TrialDays, First: r.First, KeepDefault: r.KeepDefault, EndTrial: r.EndTrial, At: r.At,
		}
		if r.Currency != "" {
			var err error
			if s.Amount, err = money.New(r.Amount, r.Currency); err != nil {
				return nil, err
			}
		}
		steps[i] = s
	}
	return steps, nil
}
