package httpapi

import (
	"net/http"
	"time"

	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/domain/timezone"
	"github.com/vc-admin/diy/ports/identity"
)

type quoteRequestWire struct {
	priceChoiceWire
	When    changeTimingWire `json:"when"`
	NoTrial bool             `json:"no_trial"`
}

// changeTimingWire is the timing of a plan change: "now", "renewal", or "" for now.
type changeTimingWire string

// parse returns the timing of a plan change, or Invalid for an unknown value.
func (w changeTimingWire) parse() (billing.ChangeTiming, error) {
	switch w {
	case "", "now":
		return billing.ChangeNow, nil
	case "renewal":
		return billing.ChangeAtRenewal, nil
	}
	var fields fault.Fields
	fields.Add("when", "when must be now or renewal")
	return "", fields.Err()
}

type quoteWire struct {
	Quote        string      `json:"quote"`
	ExpiresAt    *time.Time  `json:"expiresAt"`
	DueNow       moneyWire   `json:"dueNow"`
	Lines        []lineWire  `json:"lines"`
	Tax          moneyWire   `json:"tax"`
	CreditBefore moneyWire   `json:"creditBefore"`
	CreditAfter  moneyWire   `json:"creditAfter"`
	Next         *chargeWire `json:"next"`
	AfterCredit  *chargeWire `json:"afterCredit,omitempty"`
	AfterNext    *chargeWire `json:"afterNext,omitempty"`
	EndsTrial    bool        `json:"endsTrial"`
	DueAt        *time.Time  `json:"dueAt,omitempty"`
	// ApprovalDueDays is set for an order that an operator has to approve.
	ApprovalDueDays int `json:"approvalDueDays,omitempty"`
}

type moneyWire struct {
	Amount   int64  `json:"amount"` // in minor units
	Currency string `json:"currency"`
}

// toMoneyWire converts an amount. The currency is a parameter because the zero Amount has none.
func toMoneyWire(a money.Amount, currency string) moneyWire {
	return moneyWire{Amount: a.Minor(), Currency: currency}
}

// lineWire is a line of an invoice or quote.
type lineWire struct {
	Description string     `json:"description"`
	Amount      int64      `json:"amount"` // in minor units
	Period      periodWire `json:"period"`
}

type periodWire struct {
	Start *time.Time `json:"start"`
	End   *time.Time `json:"end"`
}

func toLineWire(l billing.Line) lineWire {
	return lineWire{
		Description: l.Description, Amount: l.Amount.Minor(), Period: periodWire{timestamp(l.Start), timestamp(l.End)},
	}
}

// chargeWire is an automatic charge in the future, or an invoice that is sent by email.
type chargeWire struct {
	moneyWire
	At    time.Time  `json:"at"`
	DueAt *time.Time `json:"dueAt,omitempty"`
}

// toChargeWire returns nil if there is no charge.
func toChargeWire(c *billing.Charge, currency string) *chargeWire {
	if c == nil || c.At.IsZero() {
		return nil
	}
	return &chargeWire{toMoneyWire(c.Amount, currency), c.At.UTC(), timestamp(c.DueAt)}
}

// dueInvoiceWire is an issued invoice that the customer pays by a date.
type dueInvoiceWire struct {
	chargeWire
	invoiceAmountsWire
	TimeZone timezone.Zone `json:"timeZone,omitempty"`
}

// toDueInvoiceWire returns nil unless the latest invoice is due on a date.
func toDueInvoiceWire(s billing.Subscription) *dueInvoiceWire {
	transfer := s.DueTransfer()
	if transfer == nil || transfer.DueAt.IsZero() {
		return nil
	}
	charge := toChargeWire(&billing.Charge{Amount: transfer.Remaining, At: transfer.DueAt}, s.Price.Currency)
	inv := s.LatestInvoice
	return &dueInvoiceWire{*charge, toInvoiceAmountsWire(inv.Total, inv.CreditUsed, inv.AmountPaid), inv.TimeZone}
}

// invoiceAmountsWire contains the amounts that explain how much of an invoice remains to be paid, in minor units.
type invoiceAmountsWire struct {
	Total      *int64 `json:"total"`
	CreditUsed int64  `json:"creditUsed"`
	AmountPaid int64  `json:"amountPaid"`
}

func toInvoiceAmountsWire(total, creditUsed, amountPaid money.Amount) invoiceAmountsWire {
	return invoiceAmountsWire{minorUnits(total), creditUsed.Minor(), amountPaid.Minor()}
}

func (a *api) quotePrice(w http.ResponseWriter, r *http.Request, caller identity.Identity) error {
	req, err := decodeBody[quoteRequestWire](r)
	if err != nil {
		return err
	}
	timing, err := req.When.parse()
	if err != nil {
		return err
	}
	quote, err := a.UseCases.QuotePrice.Do(r.Context(), caller, app.QuoteRequest{
		Price: app.PriceChoice(req.priceChoiceWire), When: timing, NoTrial: req.NoTrial,
	})
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, toQuoteWire(quote))
}

func toQuoteWire(q app.SignedQuote) *quoteWire {
	currency := q.Price.Currency
	return &quoteWire{
		Quote: q.Token, ExpiresAt: timestamp(q.ExpiresAt),
		DueNow: toMoneyWire(q.DueNow, currency), Lines: mapEach(q.Lines, toLineWire), Tax: toMoneyWire(q.Tax, currency),
		CreditBefore: toMoneyWire(q.CreditBefore, currency), CreditAfter: toMoneyWire(q.CreditAfter, currency),
		Next: toChargeWire(&q.Next, currency), AfterCredit: toChargeWire(q.AfterCredit, currency),
		AfterNext: toChargeWire(q.AfterNext, currency), EndsTrial: q.EndsTrial,
		DueAt: timestamp(q.DueAt), ApprovalDueDays: q.ApprovalDueDays,
	}
}

// toQuoteError converts e to a 409 with a new quote.
func toQuoteError(e *app.QuoteError) *apiError {
	return &apiError{
		status: http.StatusConflict, Name: "ERRQUOTE", Message: fault.MessageOf(e), Quote: toQuoteWire(e.NewQuote),
	}
}
