package fakepayment

import (
	"encoding/json"
	"time"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
)

// The records are what is kept, in memory and in the journal. They are values: one that has been
// put into its table is replaced, never changed. Instants are whole seconds, as Stripe's are.

type customer struct {
	ID            string   `json:"id"`
	Organisation  string   `json:"organisation"`
	Preferred     string   `json:"preferred,omitempty"`
	Currency      string   `json:"currency,omitempty"` // fixed by the first subscription
	Default       string   `json:"default,omitempty"`  // the card that gets charged
	Cards         []string `json:"cards,omitempty"`    // newest first
	Subscriptions []string `json:"subscriptions,omitempty"`
	Credit        int64    `json:"credit,omitempty"` // minor units that the next invoices are lowered by

	Created time.Time `json:"created,omitzero"`
	Deleted bool      `json:"deleted,omitempty"` // nothing else is kept of it then
}

type card struct {
	ID            string       `json:"id"`
	Customer      string       `json:"customer,omitempty"` // "" until it is saved
	Card          billing.Card `json:"card"`
	Behaviour     behaviour    `json:"behaviour"`
	Authenticated bool         `json:"authenticated,omitempty"` // the holder has been asked and need not be again
}

type subscription struct {
	ID          string             `json:"id"`
	Customer    string             `json:"customer"`
	Status      billing.Status     `json:"status"`
	Price       catalogue.PriceRef `json:"price"`
	Amount      int64              `json:"amount"` // of one period, as it was when the price was chosen
	Created     time.Time          `json:"created"`
	Anchor      time.Time          `json:"anchor"` // the periods are whole months or years from here
	PeriodStart time.Time          `json:"period_start"`
	PeriodEnd   time.Time          `json:"period_end"`
	TrialEnd    time.Time          `json:"trial_end,omitzero"`
	Invoice     string             `json:"invoice"`
	Setup       string             `json:"setup,omitempty"` // the authentication a trial waits for
	Retries     int                `json:"retries,omitempty"`
	RetryAt     time.Time          `json:"retry_at,omitzero"`
	Pending     planChange         `json:"pending,omitzero"` // has no invoice when there is none
	MadeBy      string             `json:"made_by,omitempty"`
	ChangedBy   string             `json:"changed_by,omitempty"`
}

// planChange is a change to another price. While it waits for its payment it has an invoice.
type planChange struct {
	Price    catalogue.PriceRef `json:"price"`
	Amount   int64              `json:"amount"` // of one period
	At       time.Time          `json:"at"`     // the instant it is calculated for
	EndTrial bool               `json:"end_trial,omitempty"`
	Invoice  string             `json:"invoice,omitempty"`
	Expires  time.Time          `json:"expires,omitzero"`
}

type invoiceStatus string

const (
	invoiceOpen invoiceStatus = "open"
	invoicePaid invoiceStatus = "paid"
	invoiceVoid invoiceStatus = "void"
)

type invoice struct {
	ID           string        `json:"id"`
	Customer     string        `json:"customer"`
	Subscription string        `json:"subscription"`
	Status       invoiceStatus `json:"status"`
	Amount       int64         `json:"amount"`
	Credit       int64         `json:"credit,omitempty"` // how much of the customer's credit it has used up
	Currency     string        `json:"currency"`
	Payment      string        `json:"payment,omitempty"`  // the intent; "" when nothing is to be paid
	Previous     string        `json:"previous,omitempty"` // the subscription's invoice before this one
	Created      time.Time     `json:"created,omitzero"`
}

type intentKind string

const (
	kindPayment intentKind = "payment"
	kindSetup   intentKind = "setup"
)

type intent struct {
	ID           string               `json:"id"`
	Kind         intentKind           `json:"kind"`
	Status       billing.IntentStatus `json:"status"`
	Secret       string               `json:"secret"`
	Customer     string               `json:"customer"`
	Subscription string               `json:"subscription"`
	Invoice      string               `json:"invoice,omitempty"`
	Amount       int64                `json:"amount,omitempty"`
	Currency     string               `json:"currency,omitempty"`
	Card         string               `json:"card,omitempty"` // the one it was last tried with
	Problem      *problem             `json:"problem,omitempty"`
}

// event waits for delivery; delivered ones are forgotten.
type event struct {
	ID      string          `json:"id"`
	Number  int64           `json:"number"` // the order in which things happened
	Payload json.RawMessage `json:"payload"`
}

// answer is what a request with an idempotency key was told.
type answer struct {
	Key         string          `json:"key"`
	Fingerprint string          `json:"fingerprint"`
	Value       json.RawMessage `json:"value,omitempty"`
	Code        fault.Code      `json:"code,omitempty"` // "" when it succeeded
	Message     string          `json:"message,omitempty"`
	Retired     bool            `json:"retired,omitempty"` // nothing was done and nothing will be, see Retire
}

func (c customer) key() string     { return c.ID }
func (c card) key() string         { return c.ID }
func (s subscription) key() string { return s.ID }
func (i invoice) key() string      { return i.ID }
func (i intent) key() string       { return i.ID }
func (e event) key() string        { return e.ID }
func (a answer) key() string       { return a.Key }
