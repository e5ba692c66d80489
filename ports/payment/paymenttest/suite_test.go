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

// customersOnly is a provider that keeps customers and declares everything else missing.
type customersOnly struct {
	payment.Unimplemented
	missing map[payment.Capability]string

	mu        sync.Mutex
	customers map[string]billing.Customer // by id; deleted ones have none
	responses map[string]payment.NewCustomer
	updates   map[string]payment.CustomerUpdate
}

func newCustomersOnly() *customersOnly {
	return &customersOnly{
		customers: map[string]billing.Customer{}, responses: map[string]payment.NewCustomer{},
		updates: map[string]payment.CustomerUpdate{},
		missing: map[payment.Capability]string{
			payment.SavedMethods: "customers pay by bank transfer", payment.MethodPage: "customers pay by bank transfer",
			payment.Trials: "nothing is sold", payment.ChangeNow: "nothing is sold",
			payment.PendingChanges: "nothing is sold", payment.PayInvoice: "customers pay by bank transfer",
			payment.Webhooks: "there are no events", payment.PushEvents: "there are no events", payment.PriceSync: "there are no prices", payment.Fencing: "there are no keys",
			payment.Quoting: "nothing is sold", payment.CheaperNow: "nothing is sold", payment.ChangeAtRenewal: "nothing is sold",
			payment.EndAtPeriodEnd: "nothing is sold", payment.InvoicePDF: "nothing is sold", payment.Refunds: "nothing is sold",
			payment.Disputes:       "nothing is sold",
			payment.CustomerCredit: "nothing is sold",
		},
	}
}

func (p *customersOnly) Capabilities() payment.Capabilities {
	return payment.Capabilities{Entry: payment.EntryInvoice, Missing: p.missing, LongestRequest: time.Minute}
}

func (p *customersOnly) CreateCustomer(ctx context.Context, req payment.NewCustomer) (billing.Customer, error) {
	if ctx.Err() != nil {
		return billing.Customer{}, fault.Wrap(ctx.Err(), fault.Unavailable, "canceled")
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	c := billing.Customer{ID: "cus_" + req.OrganisationID, OrganisationID: req.OrganisationID, Preferred: req.Currency}
	if earlier, used := p.responses[req.Key]; used && earlier != req {
		return billing.Customer{}, fault.New(fault.Conflict, "the key was used for another request")
	}
	p.customers[c.ID], p.responses[req.Key] = c, req
	return c, nil
}

func (p *customersOnly) Customer(ctx context.Context, id string) (billing.Customer, error) {
	if ctx.Err() != nil {
		return billing.Customer{}, fault.Wrap(ctx.Err(), fault.Unavailable, "canceled")
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	switch c, known := p.customers[id]; {
	case !known:
		return billing.Customer{}, fault.New(fault.NotFound, "unknown")
	case c.ID == "":
		return billing.Customer{}, fault.Wrap(payment.ErrCustomerDeleted, fault.NotFound, "deleted")
	default:
		return c, nil
	}
}

func (p *customersOnly) CustomerOf(ctx context.Context, of payment.Owner) (billing.Customer, error) {
	return p.Customer(ctx, "cus_"+of.OrganisationID)
}

func (p *customersOnly) Subscribe(_ context.Context, req payment.NewSubscription) (billing.Subscription, error) {
	switch {
	case req.MethodID != "":
		return billing.Subscription{}, payment.Unsupported(payment.SavedMethods)
	case req.TrialDays > 0:
		return billing.Subscription{}, payment.Unsupported(payment.Trials)
	}
	return billing.Subscription{}, fault.New(fault.NotFound, "unknown")
}

func (p *customersOnly) Subscription(context.Context, string) (billing.Subscription, error) {
	return billing.Subscription{}, fault.New(fault.NotFound, "unknown")
}

func (p *customersOnly) ListSubscriptions(ctx context.Context, customerID string, _ ...billing.Status) ([]billing.Subscription, error) {
	_, err := p.Customer(ctx, customerID)
	return []billing.Subscription{}, err
}

func (p *customersOnly) CancelSubscription(context.Context, payment.Cancellation) (billing.Subscription, error) {
	return billing.Subscription{}, fault.New(fault.NotFound, "unknown")
}

func (p *customersOnly) UpdateCustomer(ctx context.Context, req payment.CustomerUpdate) (billing.Customer, error) {
	c, err := p.Customer(ctx, req.CustomerID)
	if err != nil {
		return c, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	earlier, used := p.updates[req.Key]
	switch {
	case used && !reflect.DeepEqual(earlier, req):
		return c, fault.New(fault.Conflict, "the key was used for another request")
	case req.Details.TaxID != nil && req.Details.TaxID.Type == "no_such_type":
		return c, fault.New(fault.Invalid, "unknown type of tax id")
	}
	p.updates[req.Key] = req
	return c, nil
}

func (p *customersOnly) ListInvoices(ctx context.Context, req payment.InvoicePage) (payment.InvoiceList, error) {
	_, err := p.Customer(ctx, req.CustomerID)
	return payment.InvoiceList{}, err
}

// undeclaredFencing is customersOnly with a Fence that it declares missing.
type undeclaredFencing struct{ *customersOnly }

func (undeclaredFencing) Retire(context.Context, payment.Retirement) error { return nil }

// newHarness returns the harness of a provider with the declaration, which is wrong unless it is
// "correct".
func newHarness(declaration string) Harness {
	p := newCustomersOnly()
	h := Harness{
		Provider: p, Now: time.Now,
		DeleteCustomer: func(_ *testing.T, id string) { p.customers[id] = billing.Customer{} },
		Missing:        map[payment.Capability]string{PassingTime: "there is no clock", Authentication: "there is no browser", OutsidePayment: "nothing is sold"},
	}
	switch declaration {
	case "declared missing but supported":
		h.Provider = undeclaredFencing{p}
	case "undeclared and unsupported":
		delete(p.missing, payment.PayInvoice)
	case "unknown capability":
		p.missing["gifts"] = "there is nothing to give"
	case "without a reason":
		p.missing[payment.Trials] = ""
	case "without the longest request":
		h.Provider = noLongestRequest{p}
	}
	return h
}

func TestHarness_NamesMissingFunctions(t *testing.T) {
	h := newHarness("correct")
	assert.Empty(t, h.missingFunctions())

	h.DeleteCustomer = nil
	delete(h.Missing, PassingTime)
	assert.Equal(t, []string{"DeleteCustomer", "Advance"}, h.missingFunctions())
}

// noLongestRequest is customersOnly without Capabilities.LongestRequest.
type noLongestRequest struct{ *customersOnly }

func (h noLongestRequest) Capabilities() payment.Capabilities {
	return payment.Capabilities{Entry: payment.EntryInvoice, Missing: h.missing}
}

// declaration chooses the provider of newHarness in the child processes of TestRun_ChecksDeclarations.
var declaration = flag.String("declaration", "", "how the provider under test declares what it lacks")

// TestRun_ChecksDeclarations runs the suite in child processes, where it may fail. It skips what is
// declared missing and fails on a wrong declaration.
func TestRun_ChecksDeclarations(t *testing.T) {
	if *declaration != "" {
		Run(t, func(*testing.T) Harness { return newHarness(*declaration) })
		return
	}
	const correct = "correct"
	for declared, want := range map[string]string{
		correct:                          "--- SKIP: TestRun_ChecksDeclarations/events/a_saved_card_causes_an_event",
		"declared missing but supported": "--- FAIL: TestRun_ChecksDeclarations/capabilities/every_request_that_needs_a_missing_capability_is_Unsupported",
		"undeclared and unsupported":     "--- FAIL: TestRun_ChecksDeclarations/unknown_ids/an_unknown_invoice_is_NotFound",
		"unknown capability":             "--- FAIL: TestRun_ChecksDeclarations/capabilities/every_missing_capability_is_known_and_has_a_reason",
		"without a reason":               "--- FAIL: TestRun_ChecksDeclarations/capabilities/every_missing_capability_is_known_and_has_a_reason",
		"without the longest request":    "--- FAIL: TestRun_ChecksDeclarations/capabilities/a_provider_without_fencing_declares_its_longest_request",
	} {
		t.Run(declared, func(t *testing.T) {
			executable, err := os.Executable()
			require.NoError(t, err)
			child := exec.CommandContext(t.Context(), executable, "-test.run=^TestRun_ChecksDeclarations$", "-test.v", "-declaration="+declared)
			out, err := child.CombinedOutput()
			assert.Equal(t, declared == correct, err == nil, "%s", out)
			assert.Contains(t, string(out), want)
			failed := 1
			if declared == correct {
				failed = 0
				assert.Contains(t, string(out), "push_events: there are no events")
			}
			assert.Regexp(t, fmt.Sprintf(`conformance: \d+ passed, %d failed, \d{2,} skipped`, failed), string(out))
		})
	}
}
