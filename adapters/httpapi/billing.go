package httpapi

import (
	"net/http"
	"time"

	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/identity"
)

type billingWire struct {
	Subscription *billingSubscriptionWire `json:"subscription"`
	Next         *chargeWire              `json:"next"`
	AfterCredit  *chargeWire              `json:"afterCredit,omitempty"`
	DueInvoice   *dueInvoiceWire          `json:"invoiced"`
	Credit       *moneyWire               `json:"credit"`
	Card         *savedMethodWire         `json:"card"`
	End          *endWire                 `json:"end"`
}

type billingSubscriptionWire struct {
	Status      billing.Status        `json:"status"`
	PriceID     string                `json:"priceId"`
	Interval    catalogue.Interval    `json:"interval"`
	Currency    string                `json:"currency"`
	Amount      *int64                `json:"amount"` // in minor units
	PeriodStart *time.Time            `json:"periodStart"`
	PeriodEnd   *time.Time            `json:"periodEnd"`
	TrialEnd    *time.Time            `json:"trialEnd"`
	EndsAt      *time.Time            `json:"endsAt"`
	PlanEndsAt  *time.Time            `json:"planEndsAt"`
	Hold        *billing.Hold         `json:"hold"`
	Pause       *pauseWire            `json:"pause,omitempty"`
	Managed     bool                  `json:"managed,omitempty"`
	Pending     *billingPendingWire   `json:"pending"`
	Scheduled   *billingScheduledWire `json:"scheduled"`
}

type billingPendingWire struct {
	PriceID   string     `json:"priceId"`
	Amount    int64      `json:"amount"` // in minor units
	ExpiresAt *time.Time `json:"expiresAt"`
	InvoiceID string     `json:"invoiceId"`
}

type billingScheduledWire struct {
	PriceID string    `json:"priceId"`
	Amount  *int64    `json:"amount"` // in minor units
	At      time.Time `json:"at"`
}

type endWire struct {
	Kind billing.EndKind `json:"kind"`
	At   *time.Time      `json:"at"`
}

func (a *api) showBilling(w http.ResponseWriter, r *http.Request, caller identity.Identity) error {
	summary, err := a.UseCases.ShowBilling.Do(r.Context(), caller)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, toBillingWire(summary))
}

func toBillingWire(s app.BillingSummary) billingWire {
	var wire billingWire
	if s.Subscription != nil {
		wire.Subscription = toBillingSubscriptionWire(s)
		wire.Next = toChargeWire(s.NextCharge, s.Subscription.Price.Currency)
		wire.AfterCredit = toChargeWire(s.AfterCredit, s.Subscription.Price.Currency)
		wire.DueInvoice = toDueInvoiceWire(*s.Subscription)
	}
	if s.Credit != (money.Amount{}) {
		credit := toMoneyWire(s.Credit, s.Credit.Currency().Code)
		wire.Credit = &credit
	}
	if s.Card != nil {
		card := toSavedMethodWire(*s.Card)
		wire.Card = &card
	}
	if s.End != nil {
		wire.End = &endWire{Kind: s.End.Kind, At: timestamp(s.End.At)}
	}
	return wire
}

func toBillingSubscriptionWire(s app.BillingSummary) *billingSubscriptionWire {
	sub := s.Subscription
	wire := &billingSubscriptionWire{
		Status: sub.Status, PriceID: sub.Price.PriceID(), Interval: sub.Price.Interval, Currency: sub.Price.Currency,
		Amount: minorUnits(sub.Amount), PeriodStart: timestamp(sub.PeriodStart), PeriodEnd: timestamp(sub.CurrentPeriodEnd),
		TrialEnd: timestamp(sub.TrialEnd), EndsAt: timestamp(sub.EndsAt), PlanEndsAt: timestamp(sub.UnpaidEndsAt),
		Hold: toHoldWire(sub.Hold), Pause: toPauseWire(sub.Pause), Managed: sub.Managed,
	}
	if p := sub.Pending; p != nil {
		wire.Pending = &billingPendingWire{
			PriceID: p.To.PriceID(), Amount: p.Amount.Minor(), ExpiresAt: timestamp(p.ExpiresAt), InvoiceID: p.InvoiceID,
		}
	}
	if c := sub.Scheduled; c != nil {
		wire.Scheduled = &billingScheduledWire{PriceID: c.To.PriceID(), Amount: minorUnits(c.Amount), At: c.At.UTC()}
	}
	return wire
}
