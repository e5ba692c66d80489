package devpanel

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/payment"
)

// fakeView is the state of the fake provider.
type fakeView struct {
	Steps        []stepView // that are due next
	Invoices     []invoiceView
	OmittedCount int // of older invoices
	Charge       selectView
	Delivery     selectView
	Events       []fakepayment.WaitingEvent
	EventCount   int
}

type stepView struct {
	At             time.Time
	Text, Customer string
}

// selectView is a list of choices.
type selectView struct {
	Name    string
	Options []option
}

type option struct {
	Value, Text string
	IsSelected  bool
}

// invoiceView is an invoice with the actions of its customer and the bank.
type invoiceView struct {
	Number, Customer, Amount string
	Created                  time.Time
	Status                   string   // open, paid or void
	Details                  []string // further states, such as "disputed"
	Refundable, Currency     string
	Possible, Impossible     []invoiceAction
}

// invoiceAction is a button, or the reason why it is missing.
type invoiceAction struct{ Path, Name, Text, Refusal string }

// NewKey returns an idempotency key for the refund form.
func (invoiceView) NewKey() string { return newKey() }

// readFake returns the state of the fake provider.
func (p *Panel) readFake(ctx context.Context) (*fakeView, error) {
	v := &fakeView{}
	err := p.Fake.Read(ctx, func(s fakepayment.Snapshot) error {
		for _, step := range s.DueSteps() {
			if len(v.Steps) < maxSteps {
				v.Steps = append(v.Steps, stepView{step.At, step.Text, customerName(s, step.CustomerID)})
			}
		}
		var invoices []fakepayment.InvoiceRecord
		for _, c := range s.Customers() {
			invoices = append(invoices, s.CustomerInvoices(c.ID)...)
		}
		slices.SortStableFunc(invoices, func(x, y fakepayment.InvoiceRecord) int { return y.Created.Compare(x.Created) })
		v.OmittedCount = max(0, len(invoices)-maxInvoices)
		for _, inv := range invoices[:min(maxInvoices, len(invoices))] {
			v.Invoices = append(v.Invoices, p.newInvoiceView(s, inv))
		}
		v.Charge, v.Delivery = newChargeSelect(s.NextCharge()), newDeliverySelect(s.EventDelivery())
		v.Events = s.WaitingEvents()
		v.EventCount = len(v.Events)
		v.Events = v.Events[:min(maxEvents, v.EventCount)]
		return nil
	})
	return v, err
}

func customerName(s fakepayment.Snapshot, id string) string {
	c, _ := s.Customer(id)
	return cmp.Or(c.Buyer.Name, c.OrganisationID)
}

func newChargeSelect(selected fakepayment.ChargeOutcome) selectView {
	return newSelect("outcome", string(selected), []option{
		{Value: string(fakepayment.ChargeByTestCard), Text: "As the card decides"},
		{Value: string(fakepayment.ChargeDeclined), Text: "Declined"},
		{Value: string(fakepayment.ChargeInsufficientFunds), Text: "Declined, insufficient funds"},
		{Value: string(fakepayment.ChargeLostCard), Text: "Declined permanently, lost card"},
		{Value: string(fakepayment.ChargeNeedsAuthentication), Text: "Requires authentication"},
	})
}

func newDeliverySelect(selected fakepayment.EventDelivery) selectView {
	return newSelect("delivery", string(selected), []option{
		{Value: string(fakepayment.EventsInOrder), Text: "Once, in order"},
		{Value: string(fakepayment.EventsDuplicated), Text: "Twice"},
		{Value: string(fakepayment.EventsDelayed), Text: "One minute late"},
		{Value: string(fakepayment.EventsReordered), Text: "Newest first"},
		{Value: string(fakepayment.EventsHeld), Text: "Not at all (held)"},
	})
}

// newSelect returns a list of options and selects the option with the value selected.
func newSelect(name, selected string, options []option) selectView {
	for i := range options {
		options[i].IsSelected = options[i].Value == selected
	}
	return selectView{Name: name, Options: options}
}

func (p *Panel) newInvoiceView(s fakepayment.Snapshot, inv fakepayment.InvoiceRecord) invoiceView {
	c, _ := s.Customer(inv.CustomerID)
	v := invoiceView{
		Number: inv.Number, Customer: customerName(s, inv.CustomerID), Created: inv.Created, Status: string(inv.Status),
		Amount: format(inv.AmountDue, inv.Currency), Currency: inv.Currency, Details: invoiceDetails(s, inv, c),
	}
	refundable, refundErr := s.Refundable(inv.ID)
	v.Refundable = strings.TrimPrefix(refundable.String(), inv.Currency+" ")
	const invoicePath, disputePath = "/dev/panel/invoice", "/dev/panel/dispute"
	v.add(invoiceAction{Path: invoicePath, Name: "pay", Text: "Pay"}, s.CheckPay(inv.ID))
	v.add(invoiceAction{Path: invoicePath, Name: "refund", Text: "Refund"}, refundErr)
	v.add(invoiceAction{Path: invoicePath, Name: "return", Text: "Return"}, s.CheckReturn(inv.ID))
	if p.ChangeDispute != nil {
		noDispute := conflictUnless(inv.Disputed && inv.DisputeOutcome == "", "No dispute is open.")
		noHold := conflictUnless(c.Hold != billing.NoHold, "The customer is not on hold.")
		v.add(invoiceAction{Path: disputePath, Name: "open", Text: "Dispute"}, s.CheckDispute(inv.ID))
		v.add(invoiceAction{Path: disputePath, Name: "won", Text: "Win dispute"}, noDispute)
		v.add(invoiceAction{Path: disputePath, Name: "lost", Text: "Lose dispute"}, noDispute)
		v.add(invoiceAction{Path: disputePath, Name: "lift", Text: "Lift hold"}, noHold)
	}
	return v
}

// invoiceDetails returns what happened to the payment of the invoice.
func invoiceDetails(s fakepayment.Snapshot, inv fakepayment.InvoiceRecord, c fakepayment.CustomerRecord) (details []string) {
	pi, _ := s.Intent(inv.PaymentID)
	switch {
	case pi.Status == billing.Processing:
		details = append(details, "payment on its way")
	case pi.Status == billing.RequiresAction:
		details = append(details, "requires authentication")
	case pi.LastError != nil:
		details = append(details, pi.LastError.Message)
	}
	if inv.Refunded > 0 {
		details = append(details, format(inv.Refunded, inv.Currency)+" refunded")
	}
	if inv.Disputed {
		details = append(details, "dispute "+cmp.Or(string(inv.DisputeOutcome), "open"))
	}
	if c.Hold != billing.NoHold {
		details = append(details, "customer on hold")
	}
	return details
}

// add adds the action to Possible. If err is not nil, it adds the action to Impossible with err as the reason.
func (v *invoiceView) add(a invoiceAction, err error) {
	if err != nil {
		a.Refusal = fault.MessageOf(err)
		v.Impossible = append(v.Impossible, a)
		return
	}
	v.Possible = append(v.Possible, a)
}

func conflictUnless(condition bool, message string) error {
	if condition {
		return nil
	}
	return fault.New(fault.Conflict, message)
}

func format(minor int64, currency string) string {
	amount, err := money.New(minor, currency)
	if err != nil {
		return ""
	}
	return amount.String()
}

func (p *Panel) setNextCharge(ctx context.Context, form func(string) string) (string, error) {
	return "charge", p.Fake.SetNextCharge(ctx, fakepayment.ChargeOutcome(form("outcome")))
}

func (p *Panel) setEventDelivery(ctx context.Context, form func(string) string) (string, error) {
	if err := p.Fake.SetEventDelivery(ctx, fakepayment.EventDelivery(form("delivery"))); err != nil {
		return "", err
	}
	return "events", p.Fake.Drain(ctx)
}

// changeInvoice applies the form's action to an invoice, and waits until the events are delivered.
func (p *Panel) changeInvoice(ctx context.Context, form func(string) string) (string, error) {
	var inv fakepayment.InvoiceRecord
	var cardID string
	err := p.Fake.Read(ctx, func(s fakepayment.Snapshot) error {
		var ok bool
		if inv, ok = s.InvoiceByNumber(form("invoice")); !ok {
			return fault.Newf(fault.NotFound, "There is no invoice %q.", form("invoice"))
		}
		c, _ := s.Customer(inv.CustomerID)
		cardID = c.DefaultCardID
		if form("action") == "pay" {
			return s.CheckPay(inv.ID)
		}
		return nil
	})
	if err != nil {
		return "", err
	}
	switch form("action") {
	case "pay":
		err = p.Fake.ChargeInvoice(ctx, inv.ID, cardID)
	case "refund":
		err = p.refund(ctx, inv, form("amount"), form("key"))
	case "return":
		err = p.Fake.ReturnPayment(ctx, inv.ID)
	default:
		err = fault.New(fault.Invalid, "The action must be pay, refund or return.")
	}
	if err != nil {
		return "", err
	}
	return form("action"), p.Fake.Drain(ctx)
}

func (p *Panel) refund(ctx context.Context, inv fakepayment.InvoiceRecord, amountText, key string) error {
	amount, err := money.Parse(amountText, inv.Currency)
	if err != nil {
		return fault.Newf(fault.Invalid, "The refund must be an amount of %s, such as 10.00.", inv.Currency)
	}
	_, err = p.Fake.Refund(ctx, payment.RefundRequest{Key: cmp.Or(key, newKey()), InvoiceID: inv.ID, Amount: amount})
	return err
}
