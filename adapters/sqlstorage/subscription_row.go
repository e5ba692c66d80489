package sqlstorage

import (
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
)

var (
	subscriptions      = tableOf[subscriptionRow]("subscriptions")
	insertSubscription = subscriptions.inserts()
	updateSubscription = subscriptions.updates("organisation_id")
)

// subscriptionRow is one subscription. Client secrets have no column: they are not ours to keep.
type subscriptionRow struct {
	ID                  string  `db:"id"`
	OrganisationID      string  `db:"organisation_id"`
	Ordinal             int     `db:"ordinal"`
	CustomerID          string  `db:"customer_id"`
	Status              string  `db:"status"`
	Product             string  `db:"product"`
	Interval            string  `db:"billing_interval"`
	Currency            string  `db:"currency"`
	CreatedAt           instant `db:"created_at"`
	CurrentPeriodEnd    instant `db:"current_period_end"`
	TrialEnd            instant `db:"trial_end"`
	LatestInvoiceID     text    `db:"latest_invoice_id"`
	PaymentIntentID     text    `db:"payment_intent_id"`
	PaymentIntentStatus text    `db:"payment_intent_status"`
	PendingSetupID      text    `db:"pending_setup_id"`
	PendingSetupStatus  text    `db:"pending_setup_status"`
	MadeBy              text    `db:"made_by"`
	ChangedBy           text    `db:"changed_by"`
	invoiceColumns
	pendingColumns
	NextAction text `db:"next_action"`
}

// subscriptionRowsOf counts ordinals from the oldest, which comes last: a new subscription then
// leaves the rows of the others as they are.
func subscriptionRowsOf(organisationID string, subs []billing.Subscription) []subscriptionRow {
	var rows []subscriptionRow
	for i, s := range subs {
		row := subscriptionRowOf(s)
		row.OrganisationID, row.Ordinal = organisationID, len(subs)-1-i
		rows = append(rows, row)
	}
	return rows
}

func subscriptionRowOf(s billing.Subscription) subscriptionRow {
	row := subscriptionRow{
		ID: s.ID, CustomerID: s.CustomerID, Status: string(s.Status),
		Product: s.Price.Product, Interval: string(s.Price.Interval), Currency: s.Price.Currency,
		CreatedAt: at(s.CreatedAt), CurrentPeriodEnd: at(s.CurrentPeriodEnd), TrialEnd: at(s.TrialEnd),
		MadeBy: orNull(s.MadeBy), ChangedBy: orNull(s.ChangedBy),
	}
	row.PendingSetupID, row.PendingSetupStatus = intentColumns(s.PendingSetup)
	if s.LatestInvoice != nil {
		row.LatestInvoiceID = some(s.LatestInvoice.ID)
		row.PaymentIntentID, row.PaymentIntentStatus = intentColumns(s.LatestInvoice.Payment)
		row.invoiceColumns = invoiceColumnsOf(*s.LatestInvoice)
	}
	row.pendingColumns = pendingColumnsOf(s.Pending)
	row.NextAction = nextActionColumn(s.Next)
	return row
}

func subscriptionsOf(rows []subscriptionRow) []billing.Subscription {
	var subs []billing.Subscription
	for _, r := range rows {
		subs = append(subs, r.subscription())
	}
	return subs
}

func (r subscriptionRow) subscription() billing.Subscription {
	s := billing.Subscription{
		ID: r.ID, CustomerID: r.CustomerID, Status: billing.Status(r.Status),
		Price: catalogue.PriceRef{
			Product: r.Product, Interval: catalogue.Interval(r.Interval), Currency: r.Currency,
		},
		CreatedAt: r.CreatedAt.t, CurrentPeriodEnd: r.CurrentPeriodEnd.t, TrialEnd: r.TrialEnd.t,
		PendingSetup: intentOf(r.PendingSetupID, r.PendingSetupStatus),
		Pending:      r.pendingChange(), Next: nextActionOf(r.NextAction), MadeBy: r.MadeBy.V, ChangedBy: r.ChangedBy.V,
	}
	if r.LatestInvoiceID.Valid {
		payment := intentOf(r.PaymentIntentID, r.PaymentIntentStatus)
		s.LatestInvoice = &billing.Invoice{
			ID: r.LatestInvoiceID.V, Payment: payment, Status: billing.InvoiceStatus(r.InvoiceStatus.V),
			AmountDue: amountOf(r.InvoiceAmount, r.InvoiceCurrency), CreatedAt: r.InvoiceCreatedAt.t, NextAttemptAt: r.InvoiceNextAttemptAt.t,
		}
	}
	return s
}

func intentColumns(i *billing.Intent) (id, status text) {
	if i == nil {
		return text{}, text{}
	}
	return some(i.ID), some(string(i.Status))
}

func intentOf(id, status text) *billing.Intent {
	if !id.Valid {
		return nil
	}
	return &billing.Intent{ID: id.V, Status: billing.IntentStatus(status.V)}
}
