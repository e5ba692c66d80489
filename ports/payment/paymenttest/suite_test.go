package paymenttest

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"reflect"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// customerProvider stores customers and declares all capabilities missing.
type customerProvider struct {
	payment.Unimplemented
	missing map[payment.Capability]string

	mu        sync.Mutex
	customers map[string]billing.Customer       // by id; the zero value is a deleted customer
	creations map[string]payment.NewCustomer    // by key
	updates   map[string]payment.CustomerUpdate // by key
}

func newCustomerProvider() *customerProvider {
	return &customerProvider{
		customers: map[string]billing.Customer{}, creations: map[string]payment.NewCustomer{},
		updates: map[string]payment.CustomerUpdate{},
		missing: map[payment.Capability]string{
			payment.SavedMethods:     "customers pay by bank transfer",
			payment.Trials:           "nothing is sold",
			payment.Quoting:          "nothing is sold",
			payment.ChangeNow:        "nothing is sold",
			payment.CheaperChangeNow: "nothing is sold",
			payment.AtPeriodEnd:      "nothing is sold",
			payment.InvoicePDF:       "nothing is sold",
			payment.Refunds:          "nothing is sold",
			payment.CustomerCredit:   "nothing is sold",
			payment.Erasure:          "nothing is sold",
			payment.Webhooks:         "there are no events",
			payment.Fencing:          "there are no keys",
		},
	}
}

func (p *customerProvider) Capabilities() payment.Capabilities {
	return payment.Capabilities{Entry: payment.EntryInvoice, Missing: p.missing, LongestRequest: time.Minute}
}

func (p *customerProvider) CreateCustomer(ctx context.Context, req payment.NewCustomer) (billing.Customer, error) {
	if ctx.Err() != nil {
		return billing.Customer{}, fault.Wrap(ctx.Err(), fault.Unavailable, "canceled")
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	c := billing.Customer{ID: "cus_" + req.OrganisationID, OrganisationID: req.OrganisationID, PreferredCurrency: req.Currency}
	if earlierReq, ok := p.creations[req.Key]; ok && earlierReq != req {
		return billing.Customer{}, fault.New(fault.Conflict, "the key was used for another request")
	}
	p.customers[c.ID], p.creations[req.Key] = c, req
	return c, nil
}

func (p *customerProvider) Customer(ctx context.Context, id string) (billing.Customer, error) {
	if ctx.Err() != nil {
		return billing.Customer{}, fault.Wrap(ctx.Err(), fault.Unavailable, "canceled")
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	switch c, ok := p.customers[id]; {
	case !ok:
		return billing.Customer{}, fault.New(fault.NotFound, "unknown")
	case c.ID == "":
		return billing.Customer{}, fault.Wrap(payment.ErrCustomerDeleted, fault.NotFound, "deleted")
	default:
		return c, nil
	}
}

func (p *customerProvider) CustomerOf(ctx context.Context, owner payment.Owner) (billing.Customer, error) {
	return p.Customer(ctx, "cus_"+owner.OrganisationID)
}

func (p *customerProvider) Subscribe(_ context.Context, req payment.NewSubscription) (billing.Subscription, error) {
	switch {
	case req.MethodID != "":
		return billing.Subscription{}, payment.Unsupported(payment.SavedMethods)
	case req.TrialDays > 0:
		return billing.Subscription{}, payment.Unsupported(payment.Trials)
	}
	return billing.Subscription{}, fault.New(fault.NotFound, "unknown")
}

func (p *customerProvider) Subscription(context.Context, string) (billing.Subscription, error) {
	return billing.Subscription{}, fault.New(fault.NotFound, "unknown")
}

func (p *customerProvider) ListSubscriptions(
	ctx context.Context, customerID string, _ ...billing.Status,
) ([]billing.Subscription, error) {
	_, err := p.Customer(ctx, customerID)
	return []billing.Subscription{}, err
}

func (p *customerProvider) CancelSubscription(context.Context, payment.Cancellation) (billing.Subscription, error) {
	return billing.Subscription{}, fault.New(fault.NotFound, "unknown")
}

func (p *customerProvider) UpdateCustomer(ctx context.Context, req payment.CustomerUpdate) (billing.Customer, error) {
	c, err := p.Customer(ctx, req.CustomerID)
	if err != nil {
		return c, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	earlierReq, ok := p.updates[req.Key]
	switch {
	case ok && !reflect.DeepEqual(earlierReq, req):
		return c, fault.New(fault.Conflict, "the key was used for another request")
	case req.Details.TaxID != nil && req.Details.TaxID.Type == "no_such_type":
		return c, fault.New(fault.Invalid, "unknown type of tax id")
	}
	p.updates[req.Key] = req
	return c, nil
}

func (p *customerProvider) ListInvoices(ctx context.Context, req payment.InvoiceQuery) (payment.InvoiceList, error) {
	_, err := p.Customer(ctx, req.CustomerID)
	return payment.InvoiceList{}, err
}

// fencingProvider implements Fence although it declares Fencing missing.
type fencingProvider struct{ *customerProvider }

func (fencingProvider) Retire(context.Context, payment.Retirement) error { return nil }

// newHarness returns the harness of a customerProvider. declaration is "correct", or names an error that the provider
// makes when it declares its capabilities.
func newHarness(declaration string) Harness {
	p := newCustomerProvider()
	h := Harness{
		Provider: p, Now: time.Now,
		DeleteCustomer: func(_ *testing.T, id string) { p.customers[id] = billing.Customer{} },
		Missing: map[payment.Capability]string{
			ClockControl: "there is no clock", Payments: "nothing is sold", Disputes: "nothing is sold",
		},
	}
	switch declaration {
	case "declared missing but supported":
		h.Provider = fencingProvider{p}
	case "undeclared and unsupported":
		delete(p.missing, payment.Refunds)
	case "unknown capability":
		p.missing["gifts"] = "there is nothing to give"
	case "without a reason":
		p.missing[payment.Trials] = ""
	case "without the longest request":
		h.Provider = unboundedProvider{p}
	}
	return h
}

func TestMissingFunctions_NamesNilFunctionsOfAvailableCapabilities(t *testing.T) {
	h := newHarness("correct")
	assert.Empty(t, h.missingFunctions())

	h.DeleteCustomer = nil
	delete(h.Missing, ClockControl)
	assert.Equal(t, []string{"DeleteCustomer", "Advance"}, h.missingFunctions())
}

// unboundedProvider declares no Capabilities.LongestRequest.
type unboundedProvider struct{ *customerProvider }

func (p unboundedProvider) Capabilities() payment.Capabilities {
	return payment.Capabilities{Entry: payment.EntryInvoice, Missing: p.missing}
}

// declaration selects the provider of newHarness in the child processes of TestRun_FailsForWrongDeclarations.
var declaration = flag.String("declaration", "", "how the provider under test declares what it lacks")

// TestRun_FailsForWrongDeclarations runs the suite with a correct declaration and with several wrong ones. It uses child
// processes, because a suite that fails in this process would fail this test.
func TestRun_FailsForWrongDeclarations(t *testing.T) {
	if *declaration != "" {
		Run(t, func(*testing.T) Harness { return newHarness(*declaration) })
		return
	}
	const correct = "correct"
	for variant, want := range map[string]struct{ result, behaviour string }{
		correct: {"SKIP", "events/a_saved_card_causes_an_event"},
		"declared missing but supported": {
			"FAIL", "capabilities/every_request_that_needs_a_missing_capability_returns_Unsupported",
		},
		"undeclared and unsupported":  {"FAIL", "unknown_ids/Refund_returns_NotFound"},
		"unknown capability":          {"FAIL", "capabilities/every_missing_capability_is_known_and_has_a_reason"},
		"without a reason":            {"FAIL", "capabilities/every_missing_capability_is_known_and_has_a_reason"},
		"without the longest request": {"FAIL", "capabilities/a_provider_without_fencing_declares_its_longest_request"},
	} {
		t.Run(variant, func(t *testing.T) {
			executable, err := os.Executable()
			require.NoError(t, err)
			child := exec.CommandContext(t.Context(), executable,
				"-test.run=^TestRun_FailsForWrongDeclarations$", "-test.v", "-declaration="+variant)
			out, err := child.CombinedOutput()
			assert.Equal(t, variant == correct, err == nil, "%s", out)
			assert.Contains(t, string(out), "--- "+want.result+": TestRun_FailsForWrongDeclarations/"+want.behaviour)
			wantFailures := 1
			if variant == correct {
				wantFailures = 0
				assert.Contains(t, string(out), "pushed_events: no webhook event reports every change")
			}
			assert.Regexp(t, fmt.Sprintf(`conformance: \d+ passed, %d failed, \d{2,} skipped`, wantFailures), string(out))
		})
	}
}

func TestRenewsAsReported_NotIfTheScheduledChangeMayLapse(t *testing.T) {
	scheduledChange := &billing.ScheduledChange{To: standardMonthly}
	lapsedChange := &billing.ScheduledChange{To: standardMonthly, Lapsed: true}
	for name, c := range map[string]struct {
		pending   *billing.PendingChange
		scheduled *billing.ScheduledChange
		want      bool
	}{
		"no change":                             {want: true},
		"scheduled change":                      {scheduled: scheduledChange, want: true},
		"lapsed change":                         {scheduled: lapsedChange},
		"pending change":                        {pending: &billing.PendingChange{}, want: true},
		"pending change that replaces a change": {pending: &billing.PendingChange{Replaces: scheduledChange}},
	} {
		t.Run(name, func(t *testing.T) {
			s := billing.Subscription{
				Status: billing.Active, CurrentPeriodEnd: time.Date(2027, 3, 1, 0, 0, 0, 0, time.UTC),
				Pending: c.pending, Scheduled: c.scheduled,
			}
			assert.Equal(t, c.want, renewsAsReported(s))
		})
	}
}
