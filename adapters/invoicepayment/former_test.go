package invoicepayment

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/devclock"
	"github.com/vc-admin/diy/adapters/invoicepayment/internal/former"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/payment/plugin"
)

var (
	formerHistories = flag.Int("former.histories", 100, "random histories that are compared with the former implementation")
	formerSeed      = flag.Uint64("former.seed", 20261123, "seed of the first history")
)

// TestAccount_BillsAsTheFormerImplementation runs random histories on this implementation, on the one before
// engine.Account, and on a database that servers of both versions use in turn, as during an update. It compares every
// response, list and quote.
func TestAccount_BillsAsTheFormerImplementation(t *testing.T) {
	start := time.Date(2027, 1, 29, 0, 0, 0, 0, time.UTC)
	var clock *devclock.Clock
	var databases [3]plugin.Database
	counts := map[string]int{}
	for n := range *formerHistories {
		if n%25 == 0 { // few enough customers for a Tick, and a clock that can be moved so far
			var err error
			clock, err = devclock.Open("", func() time.Time { return start })
			require.NoError(t, err)
			for i := range databases {
				databases[i] = openStore(t, newSQLite(t)).Database()
			}
		}
		seed := *formerSeed + uint64(n)
		h := &comparison{T: t, Rand: rand.New(rand.NewPCG(seed, 1)), clock: clock, seed: seed, counts: counts}
		h.open(databases)
		h.run()
		if t.Failed() {
			break
		}
	}
	t.Logf("%d histories from seed %d: %v", *formerHistories, *formerSeed, counts)
}

// api has the methods of both implementations whose types are the same.
type api interface {
	payment.Provider
	payment.Worker
	Allow(ctx context.Context, organisationID string) (int, error)
}

// implementation is a server of one version.
type implementation struct {
	api
	transfer  func(kind string, in Transfer) (any, error)
	void      func(number string) (any, error)
	reverse   func(reference string) (any, error)
	invoices  func(organisation string) (any, error)
	transfers func(number string) (any, error)
	orders    func() (any, error)
}

// side is a database with the servers that use it in turn.
type side struct {
	*implementation
	servers       []*implementation
	customer      string
	subscriptions []billing.Subscription // newest first
	list          []billing.Invoice      // newest first
	names         map[string]string      // of ids
}

// comparison is a history of one customer on both sides.
type comparison struct {
	*testing.T
	*rand.Rand
	clock        *devclock.Clock
	seed         uint64
	sides        [3]*side
	organisation string
	references   []string
	step         int
	log          []string
	counts       map[string]int // of events, and of refused ones
}

func (h *comparison) open(databases [3]plugin.Database) {
	due := 1 + h.IntN(20)
	values := map[string]string{
		"DUE_DAYS": fmt.Sprint(due), "GRACE_DAYS": fmt.Sprint(1 + h.IntN(27-due)), "APPROVAL": []string{"off", "off", "required"}[h.IntN(3)],
	}
	settings := plugin.Settings{Values: values}
	dependencies := func(i int) plugin.Dependencies {
		return plugin.Dependencies{Database: databases[i], Clock: h.clock, Catalogue: catalogue.Default()}
	}
	for i, servers := range [][]*implementation{
		{h.formerServer(settings, dependencies(0))},
		{h.newServer(settings, dependencies(1))},
		{h.formerServer(settings, dependencies(2)), h.newServer(settings, dependencies(2))},
	} {
		h.sides[i] = &side{servers: servers, names: map[string]string{}}
	}
}

func (h *comparison) formerServer(settings plugin.Settings, d plugin.Dependencies) *implementation {
	before, err := former.Open(settings, d)
	require.NoError(h, err)
	ctx := h.Context()
	return &implementation{
		api: before,
		transfer: func(kind string, in Transfer) (any, error) {
			do := map[string]func(context.Context, former.Transfer) (former.Recorded, error){
				"pay": before.MarkPaid, "refund": before.RecordRefund, "pay out": before.PayOutCredit,
			}[kind]
			return do(ctx, former.Transfer(in))
		},
		void:    func(number string) (any, error) { return before.Void(ctx, number) },
		reverse: func(reference string) (any, error) { return before.Reverse(ctx, reference) },
		invoices: func(organisation string) (any, error) {
			return before.Invoices(ctx, former.Filter{All: true, OrganisationID: organisation})
		},
		transfers: func(number string) (any, error) { return before.Transfers(ctx, number) },
		orders:    func() (any, error) { return before.PendingOrders(ctx) },
	}
}

func (h *comparison) newServer(settings plugin.Settings, d plugin.Dependencies) *implementation {
	after, err := Open(settings, d)
	require.NoError(h, err)
	ctx := h.Context()
	return &implementation{
		api: after,
		transfer: func(kind string, in Transfer) (any, error) {
			do := map[string]func(context.Context, Transfer) (Recorded, error){
				"pay": after.MarkPaid, "refund": after.RecordRefund, "pay out": after.PayOutCredit,
			}[kind]
			return do(ctx, in)
		},
		void:    func(number string) (any, error) { return after.Void(ctx, number) },
		reverse: func(reference string) (any, error) { return after.Reverse(ctx, reference) },
		invoices: func(organisation string) (any, error) {
			return after.Invoices(ctx, Filter{All: true, OrganisationID: organisation})
		},
		transfers: func(number string) (any, error) { return after.Transfers(ctx, number) },
		orders:    func() (any, error) { return after.PendingOrders(ctx) },
	}
}

func (h *comparison) run() {
	h.wait(time.Second) // orders are listed by the age of their customer
	h.organisation = fmt.Sprintf("org-%d", h.seed)
	h.both("create customer", func(s *side) (any, error) {
		c, err := s.CreateCustomer(h.Context(), payment.NewCustomer{Key: h.key(), OrganisationID: h.organisation, Name: "Northside"})
		s.customer = c.ID
		return c, err
	})
	h.compareLists()
	h.subscribe()
	for range 1 + h.IntN(30) {
		h.event()
		h.compareLists()
		if h.Failed() {
			h.Logf("history with seed %d: %v", h.seed, h.log)
			return
		}
	}
}

// key is the key of the request that is being made, the same on both sides.
func (h *comparison) key() string { return fmt.Sprintf("key-%d-%d", h.seed, h.step) }

// both calls do on both sides and compares what it returns.
func (h *comparison) both(name string, do func(*side) (any, error)) {
	h.step++
	h.log = append(h.log, name)
	var results [3]string
	for i, s := range h.sides {
		s.implementation = s.servers[h.IntN(len(s.servers))]
		value, err := do(s)
		if err != nil {
			value = fmt.Sprintf("%s: %s", fault.CodeOf(err), fault.MessageOf(err))
			if i == 0 {
				h.counts[name+" refused"]++
			}
		} else if i == 0 {
			h.counts[name]++
		}
		results[i] = s.describe(h, value)
	}
	require.Equal(h, results[0], results[1], "seed %d, %s after %v", h.seed, name, h.log)
	require.Equal(h, results[0], results[2], "both versions, seed %d, %s after %v", h.seed, name, h.log)
}

var ids = regexp.MustCompile(`(icus|isub|inv|ievt)_[A-Z0-9]+`)

// describe returns the value as JSON, with ids in the order of their first appearance.
func (s *side) describe(h *comparison, value any) string {
	text, err := json.Marshal(value)
	require.NoError(h, err)
	return ids.ReplaceAllStringFunc(string(text), func(id string) string {
		if s.names[id] == "" {
			s.names[id] = fmt.Sprintf("#%d", len(s.names))
		}
		return s.names[id]
	})
}

func (h *comparison) compareLists() {
	h.both("read", func(s *side) (any, error) {
		c, err := s.Customer(h.Context(), s.customer)
		if err != nil {
			return nil, err
		}
		if s.subscriptions, err = s.ListSubscriptions(h.Context(), s.customer); err != nil {
			return nil, err
		}
		first, err := s.ListInvoices(h.Context(), payment.InvoicePage{CustomerID: s.customer, Limit: 3})
		if err != nil {
			return nil, err
		}
		s.list = first.Invoices
		if first.HasMore {
			rest, err := s.ListInvoices(h.Context(), payment.InvoicePage{CustomerID: s.customer, Limit: 100, After: s.list[2].ID})
			if err != nil {
				return nil, err
			}
			s.list = append(s.list, rest.Invoices...)
		}
		returned, err := s.ReturnedPayments(h.Context(), s.customer)
		if err != nil {
			return nil, err
		}
		all, err := s.invoices(h.organisation)
		return []any{c, s.subscriptions, s.list, first.HasMore, returned, all}, err
	})
}

func (h *comparison) price() catalogue.PriceRef {
	return catalogue.PriceRef{
		Product:  []string{"standard", "professional", "multi_user"}[h.IntN(2)],
		Interval: []catalogue.Interval{catalogue.Monthly, catalogue.Yearly}[h.IntN(2)], Currency: "AUD",
	}
}

func (h *comparison) subscribe() {
	in := payment.NewSubscription{
		Key: h.key(), Price: h.price(), TrialDays: []int{0, 0, 7, 30}[h.IntN(4)], Sole: h.IntN(4) > 0,
	}
	h.both("quote a subscription", func(s *side) (any, error) {
		in.CustomerID = s.customer
		return s.QuoteSubscription(h.Context(), in)
	})
	in.Key = h.key()
	h.both("subscribe", func(s *side) (any, error) {
		in.CustomerID = s.customer
		return s.Subscribe(h.Context(), in)
	})
}

func (h *comparison) wait(d time.Duration) {
	_, err := h.clock.Advance(d)
	require.NoError(h, err)
}

// event draws what happens next.
func (h *comparison) event() {
	const day = 24 * time.Hour
	if h.IntN(2) == 0 {
		h.payOpen()
	}
	if all := h.sides[0].subscriptions; len(all) == 0 || all[0].Status.Ended() && h.IntN(2) == 0 {
		h.subscribe()
		return
	}
	choice := h.IntN(24)
	sub := 0
	if h.IntN(5) == 0 {
		sub = h.IntN(len(h.sides[0].subscriptions))
	}
	current := h.sides[0].subscriptions[sub]
	switch choice {
	case 0, 1:
		h.wait([]time.Duration{time.Second, time.Hour, day, 6 * day, 13 * day, 20 * day, 45 * day, 400 * day}[h.IntN(8)])
	case 2, 3, 4:
		h.wait(max(time.Second, current.CurrentPeriodEnd.Sub(h.clock.Now())+time.Hour))
	case 5:
		h.subscribe()
	case 6, 7, 8, 9:
		h.change(sub)
	case 10:
		h.both("end at the period's end", func(s *side) (any, error) {
			return s.SetEndAtPeriodEnd(h.Context(), payment.EndRequest{Key: h.key(), SubscriptionID: s.subscriptions[sub].ID, End: h.step%3 > 0})
		})
	case 11:
		void, mode := h.IntN(2) == 0, h.IntN(5)
		h.both("cancel", func(s *side) (any, error) {
			return s.CancelSubscription(h.Context(), payment.Cancellation{
				Key: h.key(), SubscriptionID: s.subscriptions[sub].ID, VoidInvoices: void, IfUnpaid: mode == 0, IfOverdue: mode == 1,
			})
		})
	case 12:
		until := current.TrialEnd.Add([]time.Duration{-day, time.Second, day, 31 * day}[h.IntN(4)])
		h.both("extend the trial", func(s *side) (any, error) {
			return s.ExtendTrial(h.Context(), payment.TrialExtension{Key: h.key(), SubscriptionID: s.subscriptions[sub].ID, Until: until})
		})
	case 13:
		h.both("cancel the scheduled change", func(s *side) (any, error) {
			return s.CancelScheduledChange(h.Context(), payment.ScheduleCancellation{Key: h.key(), SubscriptionID: s.subscriptions[sub].ID})
		})
	case 14:
		amount, err := money.New([]int64{1, 1000, 100_000}[h.IntN(3)], "AUD")
		require.NoError(h, err)
		h.both("credit", func(s *side) (any, error) {
			return s.AddCredit(h.Context(), payment.Credit{Key: h.key(), CustomerID: s.customer, Amount: amount})
		})
	case 15:
		h.both("move", func(s *side) (any, error) {
			details := account.BillingDetails{LegalName: h.key(), Address: account.Address{Country: []string{"AU", "US"}[h.step%2], State: []string{"WA", "NY"}[h.step%2]}}
			return s.UpdateCustomer(h.Context(), payment.CustomerUpdate{Key: h.key(), CustomerID: s.customer, Details: details})
		})
	case 16:
		h.both("allow", func(s *side) (any, error) { return s.Allow(h.Context(), h.organisation) })
	case 17:
		h.both("tick", func(s *side) (any, error) {
			var reported []string
			_, err := s.Tick(h.Context(), func(_ context.Context, e payment.Event) error {
				if e.CustomerID == s.customer {
					reported = append(reported, e.ID, e.CreatedAt.String())
				}
				return nil
			})
			return reported, err
		})
	default:
		h.invoiceEvent()
	}
}

// change quotes and makes a change of the price.
func (h *comparison) change(sub int) {
	if h.IntN(4) > 0 {
		h.payOpen()
	}
	current := h.sides[0].subscriptions[sub]
	in := payment.PriceChange{From: current.Price, To: h.price(), EndTrial: current.Status == billing.Trialing}
	if h.IntN(20) == 0 {
		in.EndTrial = !in.EndTrial
	}
	if h.IntN(3) == 0 {
		in.When, in.EndTrial = payment.AtRenewal, false
	} else if h.IntN(2) == 0 {
		in.At = h.clock.Now().Truncate(time.Second).Add([]time.Duration{0, -time.Hour, 3 * time.Hour}[h.IntN(3)])
	}
	h.both("quote a change", func(s *side) (any, error) {
		in.SubscriptionID = s.subscriptions[sub].ID
		return s.QuoteChange(h.Context(), in)
	})
	in.Key = h.key()
	h.both("change", func(s *side) (any, error) {
		in.SubscriptionID = s.subscriptions[sub].ID
		return s.ChangePlan(h.Context(), in)
	})
}

// payOpen pays the newest open invoice.
func (h *comparison) payOpen() {
	for _, inv := range h.sides[0].list {
		if inv.Status == billing.InvoiceOpen {
			rest, err := money.New(inv.AmountDue.Minor()-inv.AmountPaid.Minor(), "AUD")
			require.NoError(h, err)
			h.transfer("pay", Transfer{Number: inv.Number, Amount: rest, Reference: "ref " + h.key()})
			h.compareLists()
			return
		}
	}
}

// invoiceEvent draws an event about an invoice, often the latest.
func (h *comparison) invoiceEvent() {
	if len(h.sides[0].list) == 0 {
		return
	}
	i := 0
	if h.IntN(3) == 0 {
		i = h.IntN(len(h.sides[0].list))
	}
	inv := h.sides[0].list[i]
	rest, err := money.New(inv.AmountDue.Minor()-inv.AmountPaid.Minor(), "AUD")
	require.NoError(h, err)
	drawn, err := money.New([]int64{1, 1000, 3900, 50_000, max(1, inv.AmountPaid.Minor()), max(1, inv.AmountPaid.Minor()/2)}[h.IntN(6)], "AUD")
	require.NoError(h, err)
	reference := fmt.Sprintf("ref %s", h.key())
	switch choice := h.IntN(12); choice {
	case 0, 1, 2, 3, 4:
		if choice == 0 {
			rest = drawn
		}
		h.transfer("pay", Transfer{Number: inv.Number, Amount: rest, Reference: reference})
	case 5:
		h.transfer("refund", Transfer{Number: inv.Number, Amount: drawn, Reference: reference})
	case 6:
		h.transfer("pay out", Transfer{Number: inv.Number, Amount: drawn, Reference: reference})
	case 7:
		h.both("void", func(s *side) (any, error) { return s.void(inv.Number) })
	case 8:
		h.both("refund by a request", func(s *side) (any, error) {
			return s.Refund(h.Context(), payment.Refund{Key: h.key(), InvoiceID: s.list[i].ID, Amount: drawn})
		})
	case 9:
		h.both("drop the pending change", func(s *side) (any, error) {
			return s.CancelPendingChange(h.Context(), payment.PendingCancellation{Key: h.key(), SubscriptionID: s.subscriptions[0].ID, InvoiceID: s.list[i].ID})
		})
	case 10:
		if len(h.references) > 0 {
			reference := h.references[h.IntN(len(h.references))]
			h.both("reverse", func(s *side) (any, error) { return s.reverse(reference) })
		}
	case 11:
		withPDF := h.IntN(10) == 0
		h.both("document", func(s *side) (any, error) {
			found, err := s.transfers(inv.Number)
			if err != nil {
				return nil, err
			}
			orders, err := s.orders()
			if err != nil || !withPDF {
				return []any{found, orders}, err
			}
			pdf, err := s.InvoicePDF(h.Context(), s.customer, s.list[i].ID)
			return []any{found, orders, len(pdf.PDF)}, err
		})
	}
}

func (h *comparison) transfer(kind string, in Transfer) {
	if len(h.references) > 0 && h.IntN(20) == 0 {
		in.Reference = h.references[h.IntN(len(h.references))]
	}
	h.references = append(h.references, in.Reference)
	h.both(kind, func(s *side) (any, error) { return s.transfer(kind, in) })
}
