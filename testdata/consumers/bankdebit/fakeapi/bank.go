// Package fakeapi is the API of a direct-debit provider in the manner of GoCardless, in memory: customers, billing requests
// with a page on which the customer grants a mandate, payments that move for days, refunds, and signed batches of events.
package fakeapi

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/clock"
)

// Behaviour decides what becomes of payments from a bank account. The customer chooses the account on the page.
type Behaviour string

// The behaviours.
const (
	Pays         Behaviour = "pays"
	Empty        Behaviour = "is empty"      // can be saved; payments fail, on the page at once
	RunsEmpty    Behaviour = "runs empty"    // payments fail when they are collected: there is not enough money
	Closed       Behaviour = "is closed"     // payments fail: the account was closed
	Revoked      Behaviour = "is revoked"    // payments fail: the customer has cancelled the mandate
	ChargesBack  Behaviour = "charges back"  // payments arrive, and the customer has them returned
	FailsRefunds Behaviour = "fails refunds" // payments arrive, and refunds are returned to the merchant
	Refused      Behaviour = "is refused"    // the bank grants no mandate
)

var behaviours = []Behaviour{Pays, Empty, RunsEmpty, Closed, Revoked, ChargesBack, FailsRefunds, Refused}

// failures are the causes of the payments that fail, by the behaviour.
var failures = map[Behaviour]details{
	Empty:     {"insufficient_funds", "The customer's account had insufficient funds to make this payment."},
	RunsEmpty: {"insufficient_funds", "The customer's account had insufficient funds to make this payment."},
	Closed:    {"bank_account_closed", "The customer's bank account has been closed."},
	Revoked:   {"mandate_cancelled", "The mandate for this payment was cancelled."},
}

// When a payment moves, counted from its creation.
const (
	submission = 2 * time.Hour
	collection = 72 * time.Hour
	payout     = 96 * time.Hour
	chargeback = 30 * 24 * time.Hour
	refunding  = 48 * time.Hour
)

// Config configures a Bank.
type Config struct {
	Clock         clock.Clock
	URL           string // under which the bank is served
	AccessToken   string
	WebhookSecret string
}

// Bank is the provider with its ledger. It is safe for concurrent use.
type Bank struct {
	config Config

	mu        sync.Mutex
	sequence  int
	keys      map[string]string // ids of resources by resource and Idempotency-Key
	customers []*customer
	requests  []*billingRequest
	flows     []*flow
	mandates  []*mandate
	accounts  []*bankAccount
	payments  []*payment
	refunds   []*refund
	events    []event
	sent      int // events that the webhook has accepted
}

// New returns a bank without customers.
func New(c Config) *Bank { return &Bank{config: c, keys: map[string]string{}} }

// Debits returns the amounts of the customer's payments that have arrived or are on their way.
func (b *Bank) Debits(customerID string) (amounts []money.Amount) {
	b.lock()
	defer b.mu.Unlock()
	for _, p := range b.payments {
		if p.customer != customerID || p.Status == "failed" || p.Status == "cancelled" {
			continue
		}
		if amount, err := money.New(p.Amount, p.Currency); err == nil {
			amounts = append(amounts, amount)
		}
	}
	return amounts
}

// IsCollecting reports whether a payment is on its way.
func (b *Bank) IsCollecting() bool {
	b.lock()
	defer b.mu.Unlock()
	return slices.ContainsFunc(b.payments, func(p *payment) bool { return p.Status == "pending_submission" || p.Status == "submitted" })
}

// lock locks mu and does everything that is due.
func (b *Bank) lock() {
	b.mu.Lock()
	now := b.config.Clock.Now()
	for _, p := range b.payments {
		b.advance(p, now.Sub(p.created))
	}
	for _, r := range b.refunds {
		if r.Status == "pending_submission" && now.Sub(r.created) >= refunding {
			b.finishRefund(r)
		}
	}
}

// advance moves a payment to where it is at an age.
func (b *Bank) advance(p *payment, age time.Duration) {
	if p.Status == "pending_submission" && age >= submission {
		b.move(p, "submitted", details{})
	}
	if p.Status == "submitted" && age >= collection {
		if failure, fails := failures[p.behaviour]; fails {
			b.move(p, "failed", failure)
		} else {
			b.move(p, "confirmed", details{})
		}
	}
	if p.Status == "confirmed" && age >= payout {
		b.move(p, "paid_out", details{})
	}
	if p.Status == "paid_out" && p.behaviour == ChargesBack && age >= chargeback {
		b.move(p, "charged_back", details{"authorisation_disputed", "The customer has disputed that the payment was authorised."})
	}
}

func (b *Bank) move(p *payment, status string, d details) {
	p.Status = status
	b.record("payments", status, map[string]string{"payment": p.ID}, d)
}

func (b *Bank) finishRefund(r *refund) {
	p := find(b.payments, func(p *payment) bool { return p.ID == r.Links.Payment })
	r.Status = "paid"
	if p.behaviour == FailsRefunds {
		r.Status = "bounced"
		p.Refunded -= r.Amount
	}
	b.record("refunds", r.Status, map[string]string{"refund": r.ID, "payment": p.ID}, details{})
}

func (b *Bank) record(resource, action string, links map[string]string, d details) {
	b.events = append(b.events, event{b.newID("EV"), b.config.Clock.Now(), resource, action, links, d})
}

func (b *Bank) newID(prefix string) string {
	b.sequence++
	return fmt.Sprintf("%s%06d", prefix, b.sequence)
}

// collect begins a payment from the account of a mandate.
func (b *Bank) collect(m *mandate, amount int64, currency, description string, metadata map[string]string) *payment {
	account := find(b.accounts, func(a *bankAccount) bool { return a.ID == m.Links.Account })
	now := b.config.Clock.Now()
	p := &payment{
		ID: b.newID("PM"), Amount: amount, Currency: currency, Description: description, Metadata: metadata, behaviour: account.behaviour,
		ChargeDate: now.Add(collection).Format(time.DateOnly), customer: m.Links.Customer, created: now,
	}
	p.Links.Mandate = m.ID
	b.payments = append(b.payments, p)
	b.move(p, "pending_submission", details{})
	return p
}

// find returns the first element for which match is true, nil if there is none.
func find[T any](list []*T, match func(*T) bool) *T {
	if i := slices.IndexFunc(list, match); i >= 0 {
		return list[i]
	}
	return nil
}
