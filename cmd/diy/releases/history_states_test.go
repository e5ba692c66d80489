package releases

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/engine"
	"github.com/vc-admin/diy/ports/mail"
	"github.com/vc-admin/diy/ports/payment/plugin"
	"github.com/vc-admin/diy/ports/storage"
)

// reportedStates stores, through the store, the states that the fake gateway does not report, such as the status "unpaid" of
// Stripe, and every kind of notice, of action and of reason for an end.
func (h *history) reportedStates() {
	h.t.Helper()
	ctx := audit.WithActor(h.t.Context(), audit.Provider)
	values := declaredValues(h.t)
	h.reported = h.SignUp("reported")
	update := storage.BillingUpdate{EmailsDueAt: h.Clock.Now()}
	for _, status := range values["billing.InvoiceStatus"] {
		update.Invoices = append(update.Invoices, billing.Invoice{
			ID: "in_" + status, Number: "S-" + status, Status: billing.InvoiceStatus(status), CreatedAt: h.Clock.Now(),
			AmountDue: dollars(3900), Total: dollars(3900),
			Returns: []billing.Return{{Kind: billing.ReturnAsCredit, Amount: dollars(100), At: h.Clock.Now()}},
		})
	}
	for _, kind := range values["billing.NoticeKind"] {
		notice := billing.Notice{Kind: billing.NoticeKind(kind), SubjectID: "in_paid", Period: "2026-03"}
		update.Notices = append(update.Notices, storage.QueuedNotice{Notice: notice})
	}
	_, err := h.Store.UpdateBilling(ctx, h.reported.OrganisationID, update, func(o *account.Organisation) error {
		o.Billing.RecordSubscriptions(h.endedSubscriptions(values)...)
		o.Billing.LastVoidedInvoice = billing.VoidedInvoice{SubscriptionID: "sub_0", At: h.Clock.Now()}
		o.Billing.OwingSubscriptionID = "sub_0"
		o.Billing.DevLicense = &billing.License{
			ID: "dev_1", IsDev: true, Status: billing.Trialing, Price: catalogue.PriceRef{Product: "standard", Interval: catalogue.Monthly, Currency: "AUD"},
			TrialEnd: h.Clock.Now().Add(day), CurrentPeriodEnd: h.Clock.Now().Add(day),
		}
		o.Details = &account.BillingDetails{LegalName: "Reported Ltd", BillingEmail: "billing@reported.example", Address: o.Address}
		return nil
	})
	require.NoError(h.t, err)
	for i, reason := range values["billing.EndReason"] {
		require.NoError(h.t, h.Store.RecordEndFeedback(ctx, billing.EndFeedback{
			OrganisationID: h.reported.OrganisationID, SubscriptionID: fmt.Sprint("sub_", i), RequestedAt: h.Clock.Now(), Reason: billing.EndReason(reason),
		}))
	}
	h.pendingOperation(ctx, values["billing.ActionKind"])
}

// endedSubscriptions returns subscriptions with every kind of next action and every status of an intent.
func (h *history) endedSubscriptions(values map[string][]string) (subs []billing.Subscription) {
	statuses := values["billing.IntentStatus"]
	for i, kind := range values["billing.NextActionKind"] {
		subs = append(subs, billing.Subscription{
			ID: fmt.Sprint("sub_", i), Status: billing.Unpaid, CreatedAt: h.Clock.Now(), EndsAt: h.Clock.Now(),
			Next: billing.NextAction{Kind: billing.NextActionKind(kind)}, PendingSetup: &billing.Intent{ID: "seti", Status: billing.IntentStatus(statuses[i])},
		})
	}
	return subs
}

// pendingOperation leaves an operation with every kind of action.
func (h *history) pendingOperation(ctx context.Context, kinds []string) {
	h.t.Helper()
	operation := billing.Operation{
		Key: "op_reported", OrganisationID: h.reported.OrganisationID, Kind: billing.SubscriptionOperation, Fingerprint: "a hash", CreatedAt: h.Clock.Now(),
	}
	for i, kind := range kinds {
		operation.Actions = append(operation.Actions, billing.Action{
			Kind: billing.ActionKind(kind), Key: fmt.Sprint("op_reported-", i), CustomerID: "cus_1", SubscriptionID: "sub_0",
		})
	}
	_, err := h.Store.BeginOperation(ctx, operation, h.reported.Account().Revision)
	require.NoError(h.t, err)
}

// internalStates stores the states that a provider's tables have for moments only, and failures of its worker.
func (h *history) internalStates() {
	h.t.Helper()
	ctx := h.t.Context()
	values := declaredValues(h.t)
	require.NoError(h.t, h.Store.Database().Write(ctx, func(tx plugin.Tx) error {
		for _, table := range []string{"gateway_customers", "invoice_customers"} {
			if _, err := tx.Exec(ctx, "UPDATE "+table+" SET failures = 1 WHERE id = (SELECT MIN(id) FROM "+table+")"); err != nil {
				return err
			}
		}
		for i, state := range values["engine.AttemptState"] {
			document, err := json.Marshal(engine.Attempt{Key: "attempt-" + state, Amount: 3900, State: engine.AttemptState(state), Created: h.Clock.Now()})
			if err != nil {
				return err
			}
			if _, err := tx.Exec(ctx, `INSERT INTO gateway_attempts (key, customer_id, invoice_id, ref, complete, returned, position, document)
				VALUES (?, (SELECT MIN(id) FROM gateway_customers), '', ?, 1, 0, ?, ?)`, "attempt-"+state, "pay_"+state, 100+i, string(document)); err != nil {
				return err
			}
		}
		for i, request := range values["engine.StopRequest"] {
			document, err := json.Marshal(engine.AccountSubscription{
				Subscription: engine.Subscription{Status: billing.Canceled}, ID: "gsub_" + request, StopRequest: engine.StopRequest(request),
			})
			if err != nil {
				return err
			}
			if _, err := tx.Exec(ctx, `INSERT INTO gateway_subscriptions (id, customer_id, position, document)
				VALUES (?, (SELECT MIN(id) FROM gateway_customers), ?, ?)`, "gsub_"+request, 100+i, string(document)); err != nil {
				return err
			}
		}
		// Two are enough: the bodies of the emails would be the largest part of the dump.
		if _, err := tx.Exec(ctx, "DELETE FROM finished_emails WHERE id NOT IN (SELECT id FROM finished_emails ORDER BY id DESC LIMIT 2)"); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, "UPDATE finished_emails SET unsubscribe = 'https://diy.test/vc-admin/emails/unsubscribe?token=a'")
		return err
	}))
}

// unsentNotice leaves an email about billing in the outbox.
func (h *history) unsentNotice() {
	h.t.Helper()
	ctx := audit.WithActor(h.t.Context(), audit.Provider)
	notice := storage.QueuedNotice{Notice: billing.Notice{Kind: billing.CardExpires, SubjectID: "cus_1", Period: "2026-05"}, Emails: []mail.Message{{
		To: "reported@example.com", Subject: "Your card expires", Text: "Your card expires.", HTML: "<p>Your card expires.</p>",
		Unsubscribe: "https://diy.test/vc-admin/emails/unsubscribe?token=a",
	}}}
	update := storage.BillingUpdate{Notices: []storage.QueuedNotice{notice}, EmailsDueAt: h.Clock.Now()}
	_, err := h.Store.UpdateBilling(ctx, h.reported.OrganisationID, update, func(*account.Organisation) error { return nil })
	require.NoError(h.t, err)
}

// remainingEntries adds an entry for each kind of the audit log that has none.
func (h *history) remainingEntries() {
	h.t.Helper()
	entries, err := h.Store.AuditEntries(h.t.Context(), storage.AuditQuery{Limit: 100_000})
	require.NoError(h.t, err)
	outcomes := []audit.Outcome{audit.Done, audit.Refused, audit.Failed, audit.Unknown}
	for i, kind := range audit.Kinds() {
		if slices.ContainsFunc(entries, func(e audit.Entry) bool { return e.Kind == kind }) {
			continue
		}
		require.NoError(h.t, h.Store.AddAuditEntries(h.t.Context(), audit.Entry{
			OrganisationID: h.reported.OrganisationID, Actor: audit.System, Kind: kind, Outcome: outcomes[i%len(outcomes)],
		}))
	}
}
