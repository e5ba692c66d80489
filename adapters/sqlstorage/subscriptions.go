package sqlstorage

import (
	"cmp"
	"context"
	"slices"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/money"
)

var (
	subscriptionTable      = newTable[subscriptionRow]("subscriptions")
	insertSubscriptionSQL  = subscriptionTable.insertSQL()
	updateSubscriptionSQL  = subscriptionTable.updateSQL("organisation_id")
	selectSubscriptionsSQL = subscriptionTable.selectSQL("WHERE organisation_id = ? ORDER BY ordinal DESC")
)

const deleteSubscriptionSQL = "DELETE FROM subscriptions WHERE id = ?"

// subscriptionRow is a subscription with its latest invoice. Client secrets are not stored.
type subscriptionRow struct {
	ID                  string     `db:"id"`
	OrganisationID      string     `db:"organisation_id"`
	Ordinal             int        `db:"ordinal"`
	CustomerID          string     `db:"customer_id"`
	Status              string     `db:"status"`
	Product             string     `db:"product"`
	Interval            string     `db:"billing_interval"`
	Currency            string     `db:"currency"`
	CreatedAt           timestamp  `db:"created_at"`
	CurrentPeriodEnd    timestamp  `db:"current_period_end"`
	TrialEnd            timestamp  `db:"trial_end"`
	LatestInvoiceID     nullString `db:"latest_invoice_id"`
	PaymentIntentID     nullString `db:"payment_intent_id"`
	PaymentIntentStatus nullString `db:"payment_intent_status"`
	PendingSetupID      nullString `db:"pending_setup_id"`
	PendingSetupStatus  nullString `db:"pending_setup_status"`
	StartKey            nullString `db:"made_by"`
	ChangeKey           nullString `db:"changed_by"`
	invoiceColumns
	pendingChangeColumns
	NextAction  nullString `db:"next_action"` // JSON
	PeriodStart timestamp  `db:"period_start"`
	EndsAt      timestamp  `db:"ends_at"`
	PlanEndsAt  timestamp  `db:"plan_ends_at"`
	scheduledChangeColumns
	Hold          nullString `db:"hold"`
	Pause         nullString `db:"pause"` // JSON
	Amount        nullInt64  `db:"amount"`
	RenewalAmount nullInt64  `db:"renewal_amount"`
}

// invoiceColumns contains the latest invoice, without its id and payment.
type invoiceColumns struct {
	InvoiceStatus        nullString `db:"latest_invoice_status"`
	InvoiceAmountDue     nullInt64  `db:"latest_invoice_amount"`
	InvoiceAmountPaid    nullInt64  `db:"latest_invoice_paid"`
	InvoiceTotal         nullInt64  `db:"latest_invoice_total"`
	InvoiceCreditUsed    nullInt64  `db:"latest_invoice_credit_used"`
	InvoiceCurrency      nullString `db:"latest_invoice_currency"`
	InvoiceCreatedAt     timestamp  `db:"latest_invoice_created_at"`
	InvoiceNextAttemptAt timestamp  `db:"latest_invoice_next_attempt_at"`
}

// pendingChangeColumns contains a plan change that waits for its payment. If there is none, the columns are NULL.
type pendingChangeColumns struct {
	PendingProduct        nullString `db:"pending_product"`
	PendingInterval       nullString `db:"pending_interval"`
	PendingCurrency       nullString `db:"pending_currency"`
	PendingInvoiceID      nullString `db:"pending_invoice_id"`
	PendingAmount         nullInt64  `db:"pending_amount"`
	PendingAmountCurrency nullString `db:"pending_amount_currency"`
	PendingExpiresAt      timestamp  `db:"pending_expires_at"`
	PendingReplaces       nullString `db:"pending_replaces"` // JSON
}

// scheduledChangeColumns contains a plan change at the renewal. If there is none, the columns are NULL.
type scheduledChangeColumns struct {
	ScheduledProduct  nullString `db:"scheduled_product"`
	ScheduledInterval nullString `db:"scheduled_interval"`
	ScheduledCurrency nullString `db:"scheduled_currency"`
	ScheduledAt       timestamp  `db:"scheduled_at"`
	ScheduledAmount   nullInt64  `db:"scheduled_amount"`
}

// newSubscriptionRows numbers the subscriptions from the oldest, which is last, so that a new subscription
// does not change the rows of the others.
func newSubscriptionRows(organisationID string, subs []billing.Subscription) []subscriptionRow {
	var rows []subscriptionRow
	for i, s := range subs {
		row := newSubscriptionRow(s)
		row.OrganisationID, row.Ordinal = organisationID, len(subs)-1-i
		rows = append(rows, row)
	}
	return rows
}

func newSubscriptionRow(s billing.Subscription) subscriptionRow {
	row := subscriptionRow{
		ID: s.ID, CustomerID: s.CustomerID, Status: string(s.Status),
		Product: s.Price.Product, Interval: string(s.Price.Interval), Currency: s.Price.Currency,
		CreatedAt: newTimestamp(s.CreatedAt), CurrentPeriodEnd: newTimestamp(s.CurrentPeriodEnd),
		TrialEnd: newTimestamp(s.TrialEnd),
		StartKey: nullIfEmpty(s.StartKey), ChangeKey: nullIfEmpty(s.ChangeKey),
		pendingChangeColumns: newPendingChangeColumns(s.Pending), NextAction: marshalNextAction(s.Next),
		PeriodStart: newTimestamp(s.PeriodStart), EndsAt: newTimestamp(s.EndsAt), PlanEndsAt: newTimestamp(s.PlanEndsAt),
		scheduledChangeColumns: newScheduledChangeColumns(s.Scheduled), Hold: nullIfEmpty(string(s.Hold)),
		Pause: marshalPause(s.Pause),
	}
	row.Amount, _ = amountColumns(s.Amount)
	row.RenewalAmount, _ = amountColumns(s.Renewal)
	row.PendingSetupID, row.PendingSetupStatus = intentColumns(s.PendingSetup)
	if inv := s.LatestInvoice; inv != nil {
		row.LatestInvoiceID = notNull(inv.ID)
		row.PaymentIntentID, row.PaymentIntentStatus = intentColumns(inv.Payment)
		row.InvoiceStatus = nullIfEmpty(string(inv.Status))
		row.InvoiceAmountDue, row.InvoiceCurrency = amountColumns(inv.AmountDue)
		row.InvoiceAmountPaid, _ = amountColumns(inv.AmountPaid)
		row.InvoiceTotal, _ = amountColumns(inv.Total)
		row.InvoiceCreditUsed, _ = amountColumns(inv.CreditUsed)
		row.InvoiceCreatedAt, row.InvoiceNextAttemptAt = newTimestamp(inv.CreatedAt), newTimestamp(inv.NextAttemptAt)
	}
	return row
}

func (r subscriptionRow) subscription() billing.Subscription {
	s := billing.Subscription{
		ID: r.ID, CustomerID: r.CustomerID, Status: billing.Status(r.Status),
		Price: catalogue.PriceRef{
			Product: r.Product, Interval: catalogue.Interval(r.Interval), Currency: r.Currency,
		},
		Amount: newAmount(r.Amount, notNull(r.Currency)), Renewal: newAmount(r.RenewalAmount, notNull(r.Currency)),
		CreatedAt: r.CreatedAt.time, PeriodStart: r.PeriodStart.time, CurrentPeriodEnd: r.CurrentPeriodEnd.time,
		TrialEnd: r.TrialEnd.time,
		EndsAt:   r.EndsAt.time, PlanEndsAt: r.PlanEndsAt.time, Scheduled: r.scheduledChange(),
		Hold: billing.Hold(r.Hold.V), Pause: unmarshalPause(r.Pause),
		PendingSetup: newIntent(r.PendingSetupID, r.PendingSetupStatus),
		Pending:      r.pendingChange(), Next: unmarshalNextAction(r.NextAction), StartKey: r.StartKey.V, ChangeKey: r.ChangeKey.V,
	}
	if r.LatestInvoiceID.Valid {
		s.LatestInvoice = &billing.Invoice{
			ID: r.LatestInvoiceID.V, Status: billing.InvoiceStatus(r.InvoiceStatus.V),
			Payment: newIntent(r.PaymentIntentID, r.PaymentIntentStatus),
			Total:   newAmount(r.InvoiceTotal, r.InvoiceCurrency), CreditUsed: newAmount(r.InvoiceCreditUsed, r.InvoiceCurrency),
			AmountDue: newAmount(r.InvoiceAmountDue, r.InvoiceCurrency), AmountPaid: newAmount(r.InvoiceAmountPaid, r.InvoiceCurrency),
			CreatedAt: r.InvoiceCreatedAt.time, NextAttemptAt: r.InvoiceNextAttemptAt.time,
		}
	}
	return s
}

func intentColumns(i *billing.Intent) (id, status nullString) {
	if i == nil {
		return nullString{}, nullString{}
	}
	return notNull(i.ID), notNull(string(i.Status))
}

func newIntent(id, status nullString) *billing.Intent {
	if !id.Valid {
		return nil
	}
	return &billing.Intent{ID: id.V, Status: billing.IntentStatus(status.V)}
}

func newPendingChangeColumns(p *billing.PendingChange) pendingChangeColumns {
	if p == nil {
		return pendingChangeColumns{}
	}
	c := pendingChangeColumns{
		PendingProduct: notNull(p.To.Product), PendingInterval: notNull(string(p.To.Interval)),
		PendingCurrency: notNull(p.To.Currency), PendingInvoiceID: notNull(p.InvoiceID),
		PendingExpiresAt: newTimestamp(p.ExpiresAt), PendingReplaces: marshalReplacedChange(p.Replaces),
	}
	c.PendingAmount, c.PendingAmountCurrency = amountColumns(p.Amount)
	return c
}

func (c pendingChangeColumns) pendingChange() *billing.PendingChange {
	if !c.PendingInvoiceID.Valid {
		return nil
	}
	return &billing.PendingChange{
		To: catalogue.PriceRef{
			Product: c.PendingProduct.V, Interval: catalogue.Interval(c.PendingInterval.V), Currency: c.PendingCurrency.V,
		},
		InvoiceID: c.PendingInvoiceID.V, ExpiresAt: c.PendingExpiresAt.time,
		Amount:   newAmount(c.PendingAmount, c.PendingAmountCurrency),
		Replaces: unmarshalReplacedChange(c.PendingReplaces),
	}
}

func newScheduledChangeColumns(s *billing.ScheduledChange) scheduledChangeColumns {
	if s == nil {
		return scheduledChangeColumns{}
	}
	c := scheduledChangeColumns{
		ScheduledProduct: notNull(s.To.Product), ScheduledInterval: notNull(string(s.To.Interval)),
		ScheduledCurrency: notNull(s.To.Currency), ScheduledAt: newTimestamp(s.At),
	}
	c.ScheduledAmount, _ = amountColumns(s.Amount)
	return c
}

func (c scheduledChangeColumns) scheduledChange() *billing.ScheduledChange {
	if !c.ScheduledProduct.Valid {
		return nil
	}
	return &billing.ScheduledChange{
		To: catalogue.PriceRef{
			Product: c.ScheduledProduct.V, Interval: catalogue.Interval(c.ScheduledInterval.V), Currency: c.ScheduledCurrency.V,
		},
		Amount: newAmount(c.ScheduledAmount, c.ScheduledCurrency), At: c.ScheduledAt.time,
	}
}

// amountColumns returns NULL for the zero amount, which has no currency.
func amountColumns(a money.Amount) (nullInt64, nullString) {
	if a == (money.Amount{}) {
		return nullInt64{}, nullString{}
	}
	return nullInt64{V: a.Minor(), Valid: true}, notNull(a.Currency().Code)
}

// newAmount returns the zero amount if the currency is no longer known. The next refresh from the provider restores the
// amount.
func newAmount(minor nullInt64, currency nullString) money.Amount {
	if !minor.Valid {
		return money.Amount{}
	}
	amount, err := money.New(minor.V, currency.V)
	if err != nil {
		return money.Amount{}
	}
	return amount
}

// saveSubscriptions replaces oldRows, which are the organisation's stored rows, with newRows. It writes only the
// differences.
func (c conn) saveSubscriptions(ctx context.Context, oldRows, newRows []subscriptionRow) error {
	oldByID, newByID := rowsByID(oldRows), rowsByID(newRows)
	for id := range oldByID {
		if _, ok := newByID[id]; ok {
			continue
		}
		if _, err := c.exec(ctx, deleteSubscriptionSQL, id); err != nil {
			return err
		}
	}
	for _, row := range sortLiveLast(newRows) {
		statement := insertSubscriptionSQL
		if storedRow, ok := oldByID[row.ID]; ok {
			if storedRow == row {
				continue
			}
			statement = updateSubscriptionSQL
		}
		if err := c.save(ctx, statement, row); err != nil {
			return c.uniqueViolationToConflict(err, "The organisation has a live subscription already")
		}
	}
	return nil
}

func rowsByID(rows []subscriptionRow) map[string]subscriptionRow {
	byID := make(map[string]subscriptionRow, len(rows))
	for _, row := range rows {
		byID[row.ID] = row
	}
	return byID
}

// sortLiveLast returns the rows with live subscriptions at the end. The database checks after every statement
// that an organisation has at most one live subscription, so one must end before another starts.
func sortLiveLast(rows []subscriptionRow) []subscriptionRow {
	rank := func(r subscriptionRow) int {
		if billing.Status(r.Status).Live() {
			return 1
		}
		return 0
	}
	sortedRows := slices.Clone(rows)
	slices.SortStableFunc(sortedRows, func(x, y subscriptionRow) int { return cmp.Compare(rank(x), rank(y)) })
	return sortedRows
}
