package fakegateway

import (
	"errors"
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
	openDuration   = 23 * time.Hour // how long the customer can complete an open payment
	longestRequest = 10 * time.Second
	minimumCharge  = 50 // minor units

	day = 24 * time.Hour
)

// Config configures a Provider. Clock is required; all other fields may be zero.
type Config struct {
	Clock clock.Clock
	Entry payment.Entry      // payment.EntryRedirect by default
	Kind  billing.MethodKind // of the payment methods
	// AuthenticatesOnPage makes customers authenticate payments on a page instead of in the browser with a secret.
	AuthenticatesOnPage bool
	// The fields below have the same meaning as in gateway.Capabilities.
	Settlement, ReturnWindow time.Duration
	SettlementByKind         map[billing.MethodKind]time.Duration
	KeyRetention             time.Duration
	Missing                  map[gateway.Capability]string
	Retries                  map[billing.MethodKind]int
}

// CardsAndDebits returns the configuration of the development server, without a clock: cards settle immediately, and bank
// debits after three days.
func CardsAndDebits() Config {
	return Config{
		Entry: payment.EntryCardField, Settlement: 3 * day, ReturnWindow: 7 * day, KeyRetention: 30 * day,
		SettlementByKind: map[billing.MethodKind]time.Duration{billing.CardMethod: 0},
	}
}

// settlement returns the time until payments and refunds with this kind of method settle.
func (c Config) settlement(kind billing.MethodKind) time.Duration {
	if settlement, exists := c.SettlementByKind[kind]; exists {
		return settlement
	}
	return c.Settlement
}

// Provider is a payment provider with its state in memory or in a file. It is safe for concurrent use.
type Provider struct {
	config Config

	mu      sync.Mutex
	journal *journal // nil if the state is only in memory
	state
}

// state contains everything that a Provider stores.
type state struct {
	lastRefNumber int
	customers     map[string]string // references by id
	accounts      []*account
	tokens        map[string]*account // accounts by token
	methods       map[string]*account // saved accounts by reference
	payments      []*storedPayment
	keys          map[string]keyRecord
	changes       []string // references of changed payments, in the order of the changes
}

// keyRecord contains the first request with a key, and its result.
type keyRecord struct {
	request   any // the gateway.Order or gateway.RefundOrder
	createdAt time.Time
	payment   *storedPayment // that the request has started or refunded
}

// New returns a provider without customers.
func New(c Config) *Provider {
	if c.Entry == "" {
		c.Entry = payment.EntryRedirect
	}
	return &Provider{config: c, state: newState()}
}

func newState() state {
	return state{
		customers: map[string]string{}, tokens: map[string]*account{}, methods: map[string]*account{}, keys: map[string]keyRecord{},
	}
}

// Open returns a provider with the state in the file, which need not exist. Each change is stored in the file. Call Close at
// the end.
func Open(c Config, path string) (p *Provider, err error) {
	p = New(c)
	if p.journal, err = openJournal(path); err != nil {
		return nil, err
	}
	defer p.unlockJournal()
	if err := p.lockJournal(); err != nil {
		return nil, errors.Join(err, p.journal.file.Close())
	}
	return p, nil
}

// ChargedAmounts returns the amounts of the customer's payments that are processing, paid or returned, whether by card or by
// bank debit.
func (p *Provider) ChargedAmounts(customerRef string) (amounts []money.Amount) {
	_ = p.lockAndAdvance() // if this fails, the amounts lack the changes of other processes
	defer p.unlock()
	for _, sp := range p.payments {
		isDebited := sp.State == gateway.Processing || sp.State == gateway.Paid || sp.State == gateway.Returned
		if sp.customerRef == customerRef && isDebited && sp.Amount.Minor() > 0 {
			amounts = append(amounts, sp.Amount)
		}
	}
	return amounts
}

// lockAndAdvance locks mu, and applies the changes of other processes and all changes that are due. It returns Unavailable if
// the file can't be used; unlock has to be called then too.
func (p *Provider) lockAndAdvance() error {
	p.mu.Lock()
	if err := p.lockJournal(); err != nil {
		return fault.Wrap(err, fault.Unavailable, "The payment provider can't read its state.")
	}
	p.advance()
	return nil
}

// unlock saves the changes, or discards them if that fails, and unlocks mu.
func (p *Provider) unlock() {
	p.unlockJournal()
	p.mu.Unlock()
}

// advance applies all changes that are due.
func (p *Provider) advance() {
	now := p.config.Clock.Now()
	for _, sp := range p.payments {
		if sp.advance(p.config, now) {
			p.recordChange(sp)
		}
	}
}

// NextChangeAt returns the next time at which a payment or refund settles, expires or is returned; the zero time if none does.
func (p *Provider) NextChangeAt() (next time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.config.Clock.Now()
	for _, sp := range p.payments {
		for _, at := range sp.changeTimes(p.config) {
			if at.After(now) && (next.IsZero() || at.Before(next)) {
				next = at
			}
		}
	}
	return next
}

func (p *Provider) newRef(kind string) string {
	p.lastRefNumber++
	return fmt.Sprintf("%s_%d", kind, p.lastRefNumber)
}

func (p *Provider) recordChange(sp *storedPayment) {
	p.changes = append(p.changes, sp.Ref)
	p.stagePayment(sp)
	p.stage(func() journalLine { return journalLine{Change: sp.Ref} })
}

// recordRequest stores the first request with a key.
func (p *Provider) recordRequest(key string, request any, sp *storedPayment) {
	p.keys[key] = keyRecord{request: request, createdAt: p.config.Clock.Now(), payment: sp}
	p.stageRequest(key, p.keys[key])
}

// find returns the payment with the reference or key. It returns NotFound if there is none.
func (p *Provider) find(r gateway.Reference) (*storedPayment, error) {
	for _, sp := range p.payments {
		if sp.Ref == r.Ref || r.Ref == "" && sp.Key == r.Key {
			return sp, nil
		}
	}
	return nil, fault.New(fault.NotFound, "There is no such payment.")
}

// lookUpKey returns the record of the first request with the key. isRepeat is false if there is none, or if it is older
// than Config.KeyRetention. lookUpKey returns Conflict if that request was different.
func (p *Provider) lookUpKey(key string, request any) (record keyRecord, isRepeat bool, err error) {
	record, exists := p.keys[key]
	if !exists || !p.config.Clock.Now().Before(record.createdAt.Add(p.config.KeyRetention)) {
		return keyRecord{}, false, nil
	}
	if record.request != request {
		return keyRecord{}, false, fault.New(fault.Conflict, "This key was used for another request.")
	}
	return record, true, nil
}
