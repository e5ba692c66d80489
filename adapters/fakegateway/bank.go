package fakegateway

import (
	"fmt"
	"sync"
	"time"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/gateway"
	"github.com/vc-admin/diy/ports/payment"
)

const (
	openDuration   = 23 * time.Hour // how long a customer can finish an open payment
	longestRequest = 10 * time.Second
	minimum        = 50 // minor units
)

// Config configures a Bank. Clock is required; the zero values of the others are valid.
type Config struct {
	Clock clock.Clock
	Entry payment.Entry      // payment.EntryRedirect by default
	Kind  billing.MethodKind // of the payment methods
	// Settlement is how long the money of payments and refunds takes, and ReturnWindow how long after that it can go back.
	Settlement, ReturnWindow time.Duration
	KeyRetention             time.Duration
	PageURL                  string // of Bank.Page, without a slash at the end
	Missing                  map[gateway.Capability]string
	Retries                  map[billing.MethodKind]int
}

// Bank is a payment provider in memory. It is safe for concurrent use.
type Bank struct {
	config Config

	mu        sync.Mutex
	sequence  int
	customers map[string]string   // references by id
	tokens    map[string]*account // of browsers
	methods   map[string]*account // that are saved
	payments  []*ledgerPayment
	keys      map[string]keyRecord
	changes   []string // references of changed payments, in the order of the changes
}

// keyRecord stores the request that was made with a key, and its result.
type keyRecord struct {
	request any
	at      time.Time
	payment *ledgerPayment
	refund  *ledgerRefund // nil for an order
}

// New returns a bank without customers.
func New(c Config) *Bank {
	if c.Entry == "" {
		c.Entry = payment.EntryRedirect
	}
	return &Bank{
		config: c, customers: map[string]string{}, tokens: map[string]*account{}, methods: map[string]*account{}, keys: map[string]keyRecord{},
	}
}

// Debits returns the amounts of the customer's payments in the ledger that have arrived or are on their way, also of those
// that went back later.
func (b *Bank) Debits(customerRef string) (amounts []money.Amount) {
	b.lock()
	defer b.mu.Unlock()
	for _, p := range b.payments {
		debited := p.State == gateway.Processing || p.State == gateway.Paid || p.State == gateway.Returned
		if p.customerRef == customerRef && debited && p.Amount.Minor() > 0 {
			amounts = append(amounts, p.Amount)
		}
	}
	return amounts
}

// lock locks mu and does everything that is due.
func (b *Bank) lock() {
	b.mu.Lock()
	now := b.config.Clock.Now()
	for _, p := range b.payments {
		if p.advance(b.config, now) {
			b.recordChange(p)
		}
	}
}

func (b *Bank) newRef(kind string) string {
	b.sequence++
	return fmt.Sprintf("%s_%d", kind, b.sequence)
}

func (b *Bank) recordChange(p *ledgerPayment) { b.changes = append(b.changes, p.Ref) }

// find returns the payment with the reference or key, NotFound if there is none.
func (b *Bank) find(r gateway.Reference) (*ledgerPayment, error) {
	for _, p := range b.payments {
		if p.Ref == r.Ref || r.Ref == "" && p.Key == r.Key {
			return p, nil
		}
	}
	return nil, fault.New(fault.NotFound, "There is no such payment.")
}

// lookUpKey returns the request that the key was used for, if the bank remembers it. Conflict for another request.
func (b *Bank) lookUpKey(key string, request any) (keyRecord, bool, error) {
	used, known := b.keys[key]
	if !known || !b.config.Clock.Now().Before(used.at.Add(b.config.KeyRetention)) {
		return keyRecord{}, false, nil
	}
	if used.request != request {
		return keyRecord{}, false, fault.New(fault.Conflict, "This key was used for another request.")
	}
	return used, true, nil
}
