package stripepayment_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/money"
)

// announcement contains what the product announces about a subscription: "" or false for nothing.
type announcement struct {
	Plan, Amount, Renewal string // Renewal is the total of the next invoice
	Next, Due, End        string // dates: of the next charge, of the invoice by email, and of the end
	Method                string // that is charged instead of the default method
	Managed               bool   // only an operator can change the plan
}

// usual is the announcement about activeSubscription without any edit.
var usual = announcement{Plan: "standard_yearly", Amount: "AUD 420.00", Renewal: "AUD 420.00", Next: "2027-03-01"}

func announcementOf(s billing.Subscription) announcement {
	const day = "2006-01-02"
	a := announcement{Plan: s.Price.PriceID(), Managed: s.Managed}
	if s.Amount != (money.Amount{}) {
		a.Amount = s.Amount.String()
	}
	if s.Renewal != (money.Amount{}) {
		a.Renewal = s.Renewal.String()
	}
	if at := s.NextChargeAt(); !at.IsZero() {
		a.Next = at.Format(day)
	}
	if at := s.NextInvoiceDueAt(); !at.IsZero() {
		a.Due = at.Format(day)
	}
	if !s.EndsAt.IsZero() {
		a.End = s.EndsAt.Format(day)
	}
	if s.Method != nil {
		a.Method = s.Method.Label + s.Method.Card.Last4
	}
	return a
}

// staffEdit is an edit of a subscription in Stripe's dashboard. Its field is the name in the table of docs/stripe.md.
type staffEdit struct {
	field string
	name  string
	sub   object // fields of the subscription
	item  object // fields of its item
	price object // fields of the price of its item
	want  func(a *announcement)
}

const (
	renewalAt = 1803902400 // 1 March 2027
	quarter   = 7776000
	year      = 31536000
)

var staffEdits = []staffEdit{
	{field: "`items.price`", name: "price of its own", want: func(a *announcement) {
		a.Plan, a.Amount, a.Renewal, a.Managed = "Hospital_yearly", "AUD 12000.00", "AUD 12000.00", true
	}, price: object{"lookup_key": nil, "nickname": "Hospital", "unit_amount": 1200000, "unit_amount_decimal": "1200000",
		"recurring": object{"interval": "year", "interval_count": 1}}},
	{field: "`items.price`", name: "lookup key of a plan", want: func(a *announcement) {
		a.Plan, a.Amount, a.Renewal = "enterprise_yearly", "AUD 12000.00", "AUD 12000.00"
	}, price: object{"lookup_key": "enterprise_yearly", "unit_amount": 1200000}},
	{field: "`items.price.recurring`", name: "every three months", want: func(a *announcement) {
		a.Plan = "standard_"
	}, price: object{"recurring": object{"interval": "month", "interval_count": 3}}},
	{field: "`items.price.recurring`", name: "metered usage", want: unknownAmounts,
		price: object{"recurring": object{"interval": "year", "interval_count": 1, "usage_type": "metered"}}},
	{field: "`items.price.tiers`", name: "tiers", want: unknownAmounts,
		price: object{"billing_scheme": "tiered", "unit_amount": nil}},
	{field: "`items.price.unit_amount_decimal`", name: "fraction only", want: unknownAmounts,
		price: object{"unit_amount": nil, "unit_amount_decimal": "0.5"}},
	{field: "`items.price.unit_amount_decimal`", name: "amount with a fraction", want: unknownAmounts,
		price: object{"unit_amount": 42000, "unit_amount_decimal": "42000.5"}},
	{field: "`items.price.transform_quantity`", name: "packages", want: unknownAmounts,
		price: object{"transform_quantity": object{"divide_by": 10, "round": "up"}}},
	{field: "`items.price.custom_unit_amount`", name: "chosen by the customer", want: unknownAmounts,
		price: object{"custom_unit_amount": object{"minimum": 100}}},
	{field: "`items.quantity`", name: "three", want: func(a *announcement) {
		a.Amount, a.Renewal = "AUD 1260.00", "AUD 210.00"
	}, item: object{"quantity": 3}},
	{field: "`items.quantity`", name: "none", want: unknownAmounts, item: object{"quantity": 0}},
	{field: "`items`", name: "another item of the same period", want: previewed,
		sub: object{"items": list(editedItem(nil, nil), editedItem(object{"id": "si_2"}, nil))}},
	{field: "`items`", name: "another item of another period", want: unknownRenewal,
		sub: object{"items": list(editedItem(nil, nil),
			editedItem(object{"id": "si_2", "current_period_end": renewalAt - quarter}, nil))}},
	{field: "`items`", name: "another item with tiers", want: unknownRenewal,
		sub: object{"items": list(editedItem(nil, nil), editedItem(nil, object{"billing_scheme": "tiered"}))}},
	{field: "`billing_thresholds`", name: "threshold", want: unknownRenewal, sub: object{"billing_thresholds": object{"amount_gte": 5000}}},
	{field: "`discounts`", name: "coupon of the subscription", want: previewed, sub: object{"discounts": []any{"di_1"}}},
	{field: "`discounts`", name: "coupon of the item", want: previewed, item: object{"discounts": []any{"di_1"}}},
	{field: "`discounts`", name: "coupon of the customer", want: previewed, sub: object{"customer": discountedCustomer}},
	{field: "`default_tax_rates`", name: "added tax", want: previewed,
		sub: object{"default_tax_rates": []any{object{"id": "txr_9", "inclusive": false}}}},
	{field: "`default_tax_rates`", name: "included tax", want: unchanged,
		sub: object{"default_tax_rates": []any{object{"id": "txr_9", "inclusive": true}}}},
	{field: "`default_tax_rates`", name: "removed", want: unchanged, sub: object{"default_tax_rates": []any{}}},
	{field: "`automatic_tax`", name: "added tax", want: previewed, sub: object{"automatic_tax": object{"enabled": true}}},
	{field: "`collection_method`", name: "invoice by email", want: func(a *announcement) { a.Due, a.Managed = "2027-03-31", true },
		sub: object{"collection_method": "send_invoice", "days_until_due": 30}},
	{field: "`default_payment_method`", name: "another card", want: func(a *announcement) { a.Method = "1881" },
		sub: object{"default_payment_method": object{"id": "pm_9", "type": "card", "card": object{"brand": "visa", "last4": "1881"}}}},
	{field: "`cancel_at`", name: "at the renewal", want: func(a *announcement) { a.End, a.Next = "2027-03-01", "" },
		sub: object{"cancel_at": renewalAt}},
	{field: "`cancel_at`", name: "after two renewals", want: func(a *announcement) { a.End = "2029-02-28" },
		sub: object{"cancel_at": renewalAt + 2*year}},
	{field: "`cancel_at`", name: "within the next period", want: func(a *announcement) {
		a.End, a.Renewal = "2027-05-30", "AUD 210.00"
	}, sub: object{"cancel_at": renewalAt + quarter}},
	{field: "`cancel_at_period_end`", name: "at the end of the period", want: func(a *announcement) { a.End, a.Next = "2027-03-01", "" },
		sub: object{"cancel_at_period_end": true}},
	{field: "`schedule`", name: "end after two phases", want: func(a *announcement) {
		a.End, a.Managed = "2029-02-28", true
	}, sub: object{"schedule": schedule(schedulePhase(1772366400, renewalAt, "price_1"),
		schedulePhase(renewalAt, renewalAt+2*year, "price_1")).
		withFields(object{"end_behavior": "cancel"})}}, //nolint:misspell // Stripe's spelling
	{field: "`schedule`", name: "several changes", want: func(a *announcement) {
		a.Renewal, a.Managed = "AUD 816.00", true
	}, sub: object{"schedule": schedule(schedulePhase(1772366400, renewalAt, "price_1"),
		schedulePhase(renewalAt, renewalAt+year, "price_2"), schedulePhase(renewalAt+year, renewalAt+2*year, "price_1"))}},
	{field: "`schedule`", name: "change after the next renewal", want: func(a *announcement) { a.Managed = true },
		sub: object{"schedule": schedule(schedulePhase(1772366400, renewalAt+year, "price_1"),
			schedulePhase(renewalAt+year, renewalAt+2*year, "price_2"))}},
	{field: "`schedule`", name: "change before the next renewal", want: unknownRenewal,
		sub: object{"schedule": schedule(schedulePhase(1772366400, renewalAt-quarter, "price_1"),
			schedulePhase(renewalAt-quarter, renewalAt+year, "price_2"))}},
	{field: "`trial_end`", name: "extended", want: func(a *announcement) { a.Next = "2027-03-31" },
		sub: object{"status": "trialing", "trial_end": renewalAt + 30*86400,
			"latest_invoice": trialingSubscription["latest_invoice"]},
		item: object{"current_period_end": renewalAt + 30*86400}},
	{field: "`billing_cycle_anchor`", name: "moved", want: func(a *announcement) { a.Next = "2026-12-01" },
		item: object{"current_period_end": renewalAt - quarter}},
	{field: "`pause_collection`", name: "without an end", want: func(a *announcement) { a.Next = "" },
		sub: object{"pause_collection": object{"behavior": "void"}}}, //nolint:misspell // Stripe's spelling
	{field: "`status`", name: "ended now", want: func(a *announcement) { a.Next, a.End = "", "2026-03-01" },
		sub: object{"status": "canceled", "ended_at": 1772366400}},
	{field: "`currency`", name: "customer of another currency", want: func(a *announcement) {
		a.Amount, a.Renewal = "USD 300.00", "USD 300.00"
	}, sub: object{"currency": "usd"}},
	{field: "`metadata`", name: "no license", want: func(a *announcement) { a.Plan = "_" }, sub: object{"metadata": object{"license": "none"}}},
}

func unchanged(*announcement) {}

func previewed(a *announcement) { a.Renewal = "AUD 210.00" }

func unknownRenewal(a *announcement) { a.Renewal = "" }

func unknownAmounts(a *announcement) { a.Amount, a.Renewal = "", "" }

// editedItem returns the item of activeSubscription with other fields and with a price with other fields.
func editedItem(fields, priceFields object) object {
	item := activeSubscription["items"].(object)["data"].([]any)[0].(object)
	return item.withFields(object{"price": item["price"].(object).withFields(priceFields)}).withFields(fields)
}

func TestSubscription_AnnouncesWhatStaffHaveEdited(t *testing.T) {
	for _, edit := range staffEdits {
		t.Run(edit.field+" "+edit.name, func(t *testing.T) {
			edited := activeSubscription.withFields(object{"items": list(editedItem(edit.item, edit.price))}).withFields(edit.sub)
			s := newStub(t).respond(readSubscriptionRoute, okResponse(edited)).
				respond(createPreviewRoute, okResponse(discountedPreview)).
				respond(readPriceRoute, okResponse(price("professional_yearly", 81600, 58800).withFields(object{"id": "price_2"}))).
				respond("GET /v1/prices/price_1", okResponse(price("standard_yearly", 42000, 30000).withFields(object{"id": "price_1"})))

			sub, err := s.provider().Subscription(t.Context(), "sub_1")

			require.NoError(t, err)
			want := usual
			edit.want(&want)
			assert.Equal(t, want, announcementOf(sub))
		})
	}
}

func TestSubscription_WithoutItemsAndKnownPlanIsNoLicense(t *testing.T) {
	sub := activeSubscription.withFields(object{"items": list(), "metadata": object{"product": "standard", "interval": "weekly"}})
	s := newStub(t).respond(readSubscriptionRoute, okResponse(sub))

	got, err := s.provider().Subscription(t.Context(), "sub_1")

	require.NoError(t, err)
	assert.Empty(t, got.Price)
}

// Each row of the table in the document has an edit above, or is about other objects than the subscription. Those have
// tests in app (staff_edits_test.go) and in the files of the invoices.
func TestStaffEdits_CoverTheTableOfTheDocument(t *testing.T) {
	testedFields := map[string]bool{
		"field":                                  true,
		"customer: name, address, phone, tax id": true, "customer: `email`": true, "customer: `balance`": true,
		"customer: default payment method": true, "customer deleted, or unknown to the account": true,
		"a second subscription": true, "invoice written off, voided or paid out of band": true, "invoice items": true,
	}
	for _, edit := range staffEdits {
		testedFields[edit.field] = true
	}
	text, err := os.ReadFile("../../docs/stripe.md")
	require.NoError(t, err)
	_, section, ok := strings.Cut(string(text), "## What staff edit in the dashboard")
	require.True(t, ok)
	section, _, _ = strings.Cut(section, "\n## ")
	documentedFields := map[string]bool{}
	for _, match := range regexp.MustCompile(`(?m)^\| ([^|]+?) \|`).FindAllStringSubmatch(section, -1) {
		documentedFields[match[1]] = true
	}
	assert.Equal(t, testedFields, documentedFields)
}
