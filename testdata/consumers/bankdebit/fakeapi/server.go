// Package fakeapi imitates a direct-debit provider such as GoCardless in memory. Its API has customers, billing requests,
// payments that take days, and refunds. A billing request has a page on which the customer grants a mandate. Events are
// sent in signed batches.
package fakeapi

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/clock"
)

// Behaviour decides the outcome of payments from a bank account. The customer chooses the account on the page.
type Behaviour string

// The behaviours.
const (
	Pays                          Behaviour = "pays"
	InsufficientFunds             Behaviour = "is empty"      // payments fail; the page saves it only without a payment
	InsufficientFundsOnCollection Behaviour = "runs empty"    // payments fail when they are collected
	AccountClosed                 Behaviour = "is closed"     // payments fail, because the account was closed
	MandateCancelled              Behaviour = "is revoked"    // payments fail, because the customer has cancelled the mandate
	ChargesBack                   Behaviour = "charges back"  // payments are paid out, and the bank returns them later
	FailsRefunds                  Behaviour = "fails refunds" // payments are paid out, and refunds bounce
	AccountRefused                Behaviour = "is refused"    // can neither be saved nor charged
)

var behaviours = []Behaviour{
	Pays, InsufficientFunds, InsufficientFundsOnCollection, AccountClosed, MandateCancelled, ChargesBack, FailsRefunds,
	AccountRefused,
}

// failureDetails contains the details of the events about failed payments for each behaviour that makes them fail.
var failureDetails = map[Behaviour]eventDetails{
	InsufficientFunds:             {"insufficient_funds", "The customer's account had insufficient funds to make this payment."},
	InsufficientFundsOnCollection: {"insufficient_funds", "The customer's account had insufficient funds to make this payment."},
	AccountClosed:                 {"bank_account_closed", "The customer's bank account has been closed."},
	MandateCancelled:              {"mandate_cancelled", "The mandate for this payment was cancelled."},
}

var chargebackDetails = eventDetails{"authorisation_disputed", "The customer has disputed that the payment was authorised."}

// The ages at which the status of payments and refunds changes.
const (
	submissionAge = 2 * time.Hour
	collectionAge = 72 * time.Hour
	payoutAge     = 96 * time.Hour
	chargebackAge = 30 * 24 * time.Hour
	refundAge     = 48 * time.Hour
)

// Config configures a Server.
type Config struct {
	Clock         clock.Clock
	URL           string // of the Handler
	AccessToken   string
	WebhookSecret string
}

// Server is the provider with its records. It is safe for concurrent use.
type Server struct {
	config Config

	mu             sync.Mutex
	sequence       int
	keys           map[string]string // ids of resources by resource and Idempotency-Key
	customers      []*customer
	requests       []*billingRequest
	flows          []*flow
	mandates       []*mandate
	accounts       []*bankAccount
	payments       []*payment
	refunds        []*refund
	events         []event
	deliveredCount int // of events that the webhook has accepted
}

// New returns a server without customers.
func New(c Config) *Server { return &Server{config: c, keys: map[string]string{}} }

// ChargedAmounts returns the amounts of the customer's payments that neither failed nor were cancelled.
func (s *Server) ChargedAmounts(customerID string) (amounts []money.Amount) {
	s.lockAndAdvance()
	defer s.mu.Unlock()
	for _, p := range s.payments {
		if p.customer != customerID || p.Status == "failed" || p.Status == "cancelled" {
			continue
		}
		if amount, err := money.New(p.Amount, p.Currency); err == nil {
			amounts = append(amounts, amount)
		}
	}
	return amounts
}

// HasProcessingPayments reports whether any payment is pending or submitted.
func (s *Server) HasProcessingPayments() bool {
	s.lockAndAdvance()
	defer s.mu.Unlock()
	return slices.ContainsFunc(s.payments, func(p *payment) bool {
		return p.Status == "pending_submission" || p.Status == "submitted"
	})
}

// lockAndAdvance locks mu and makes all changes that are due.
func (s *Server) lockAndAdvance() {
	s.mu.Lock()
	now := s.config.Clock.Now()
	for _, p := range s.payments {
		s.advancePayment(p, now.Sub(p.createdAt))
	}
	for _, r := range s.refunds {
		if r.Status == "pending_submission" && now.Sub(r.createdAt) >= refundAge {
			s.finishRefund(r)
		}
	}
}

// advancePayment sets the status that a payment of this age has reached.
func (s *Server) advancePayment(p *payment, age time.Duration) {
	if p.Status == "pending_submission" && age >= submissionAge {
		s.setStatus(p, "submitted", eventDetails{})
	}
	if p.Status == "submitted" && age >= collectionAge {
		if failure, fails := failureDetails[p.behaviour]; fails {
			s.setStatus(p, "failed", failure)
		} else {
			s.setStatus(p, "confirmed", eventDetails{})
		}
	}
	if p.Status == "confirmed" && age >= payoutAge {
		s.setStatus(p, "paid_out", eventDetails{})
	}
	if p.Status == "paid_out" && p.behaviour == ChargesBack && age >= chargebackAge {
		s.setStatus(p, "charged_back", chargebackDetails)
	}
}

func (s *Server) setStatus(p *payment, status string, d eventDetails) {
	p.Status = status
	s.recordEvent("payments", status, map[string]string{"payment": p.ID}, d)
}

func (s *Server) finishRefund(r *refund) {
	p := find(s.payments, func(p *payment) bool { return p.ID == r.Links.Payment })
	r.Status = "paid"
	if p.behaviour == FailsRefunds {
		r.Status = "bounced"
		p.Refunded -= r.Amount
	}
	s.recordEvent("refunds", r.Status, map[string]string{"refund": r.ID, "payment": p.ID}, eventDetails{})
}

func (s *Server) recordEvent(resource, action string, links map[string]string, d eventDetails) {
	s.events = append(s.events, event{s.newID("EV"), s.config.Clock.Now(), resource, action, links, d})
}

func (s *Server) newID(prefix string) string {
	s.sequence++
	return fmt.Sprintf("%s%06d", prefix, s.sequence)
}

// charge begins a payment from the account of a mandate.
func (s *Server) charge(m *mandate, amount int64, currency, description string, metadata map[string]string) *payment {
	account := find(s.accounts, func(a *bankAccount) bool { return a.ID == m.Links.Account })
	now := s.config.Clock.Now()
	p := &payment{
		ID: s.newID("PM"), Amount: amount, Currency: currency, Description: description, Metadata: metadata,
		ChargeDate: now.Add(collectionAge).Format(time.DateOnly),
		customer:   m.Links.Customer, createdAt: now, behaviour: account.behaviour,
	}
	p.Links.Mandate = m.ID
	s.payments = append(s.payments, p)
	s.setStatus(p, "pending_submission", eventDetails{})
	return p
}

// find returns the first element for which match is true, or nil.
func find[T any](list []*T, match func(*T) bool) *T {
	if i := slices.IndexFunc(list, match); i >= 0 {
		return list[i]
	}
	return nil
}
