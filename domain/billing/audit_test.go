package billing_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/money"
)

func auditKinds(t *testing.T, entries []audit.Entry) (kinds []audit.Kind) {
	t.Helper()
	for _, e := range entries {
		kinds = append(kinds, e.Kind)
		e.Outcome = audit.Done
		assert.NoError(t, e.Validate())
		assert.Equal(t, audit.Provider, e.Actor)
	}
	return kinds
}

func TestSubscriptionEntries_ReportEachChange(t *testing.T) {
	at := time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)
	standard := catalogue.PriceRef{Product: "standard", Interval: catalogue.Monthly, Currency: "AUD"}
	professional := catalogue.PriceRef{Product: "professional", Interval: catalogue.Monthly, Currency: "AUD"}
	pending := billing.Subscription{ID: "sub_1", Price: standard, Pending: &billing.PendingChange{To: professional}}
	scheduled := billing.Subscription{ID: "sub_1", Price: standard, Scheduled: &billing.ScheduledChange{To: professional, At: at}}
	base := billing.Subscription{ID: "sub_1", Price: standard}
	for name, tt := range map[string]struct {
		old, changed []billing.Subscription
		want         []audit.Kind
	}{
		"new":             {nil, []billing.Subscription{base}, []audit.Kind{audit.PlanStarted}},
		"the same":        {[]billing.Subscription{base}, []billing.Subscription{base}, nil},
		"status":          {[]billing.Subscription{base}, []billing.Subscription{{ID: "sub_1", Price: standard, Status: billing.PastDue}}, []audit.Kind{audit.PlanStatusChanged}},
		"plan":            {[]billing.Subscription{pending}, []billing.Subscription{{ID: "sub_1", Price: professional}}, []audit.Kind{audit.PlanChanged}},
		"pending":         {[]billing.Subscription{base}, []billing.Subscription{pending}, []audit.Kind{audit.PlanChangePending}},
		"scheduled":       {[]billing.Subscription{base}, []billing.Subscription{scheduled}, []audit.Kind{audit.PlanChangeScheduled}},
		"dropped":         {[]billing.Subscription{scheduled}, []billing.Subscription{base}, []audit.Kind{audit.PlanChangeDropped}},
		"ending":          {[]billing.Subscription{base}, []billing.Subscription{{ID: "sub_1", Price: standard, EndsAt: at}}, []audit.Kind{audit.PlanEnding}},
		"resumed":         {[]billing.Subscription{{ID: "sub_1", Price: standard, EndsAt: at}}, []billing.Subscription{base}, []audit.Kind{audit.PlanResumed}},
		"hold":            {[]billing.Subscription{base}, []billing.Subscription{{ID: "sub_1", Price: standard, Hold: billing.HoldDisputed}}, []audit.Kind{audit.HoldChanged}},
		"failed payment":  {[]billing.Subscription{base}, []billing.Subscription{{ID: "sub_1", Price: standard, Next: billing.NextAction{Failed: billing.FailedAttempt{At: at}}}}, []audit.Kind{audit.PaymentFailed}},
		"former customer": {[]billing.Subscription{base}, nil, nil},
	} {
		assert.Equal(t, tt.want, auditKinds(t, billing.SubscriptionEntries(tt.old, tt.changed)), name)
	}
}

func TestInvoiceEntries_ReportPaymentsRefundsAndDisputes(t *testing.T) {
	aud := func(minor int64) money.Amount {
		amount, err := money.New(minor, "AUD")
		assert.NoError(t, err)
		return amount
	}
	open := billing.Invoice{ID: "in_1", Number: "A-1", Status: billing.InvoiceOpen, Total: aud(81600), AmountDue: aud(81600)}
	paid := open
	paid.Status, paid.AmountPaid = billing.InvoicePaid, aud(81600)
	refunded, disputed := paid, paid
	refunded.Refunded = aud(600)
	disputed.Returns = []billing.Return{{Dispute: billing.DisputeOpen}}

	assert.Empty(t, auditKinds(t, billing.InvoiceEntries(billing.Invoice{}, billing.Invoice{ID: "in_1", Status: billing.InvoiceDraft})))
	assert.Equal(t, []audit.Kind{audit.InvoiceIssued}, auditKinds(t, billing.InvoiceEntries(billing.Invoice{}, open)))
	assert.Equal(t, []audit.Kind{audit.InvoiceStatusChanged, audit.PaymentReceived}, auditKinds(t, billing.InvoiceEntries(open, paid)))
	assert.Equal(t, audit.Data{"amount": "600 AUD", "total": "600 AUD"}, billing.InvoiceEntries(paid, refunded)[0].Data)
	assert.Equal(t, []audit.Kind{audit.DisputeChanged}, auditKinds(t, billing.InvoiceEntries(paid, disputed)))
	assert.Empty(t, billing.InvoiceEntries(paid, paid))
}
