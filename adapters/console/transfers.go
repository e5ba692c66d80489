package console

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"github.com/vc-admin/diy/app/operators"
	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

const transfersPath = "/console/transfers"

// transfersPage is the input of the template.
type transfersPage struct {
	Number   string // of the invoice that was looked for; "" for all unpaid ones
	Message  string // why no invoice was found; "" if one was
	Orders   []orderLine
	Invoices []invoiceLine
	Recorded []transferLine
	HasMore  bool // there are older transfers
}

type orderLine struct {
	payment.Order
	Plan, Path string
}

type invoiceLine struct {
	operators.CollectedInvoice
	Path  string // of the organisation
	Links []choice
}

type transferLine struct {
	payment.RecordedTransfer
	Path string // of the form that reverses it; "" if it is reversed
}

// maxTransfers is the number of newest transfers on the page.
const maxTransfers = 50

// showTransfers shows the orders to approve, the unpaid invoices or the one with the number, and the newest transfers.
func (c *Console) showTransfers(w http.ResponseWriter, r *http.Request) error {
	page := transfersPage{Number: strings.TrimSpace(r.URL.Query().Get("number"))}
	transfers, err := c.UseCases.ShowTransfers.Do(r.Context(), payment.InvoiceFilter{Number: page.Number})
	if page.Number != "" && fault.Is(err, fault.NotFound) {
		page.Message = fault.MessageOf(err)
		return c.respond(w, r, http.StatusOK, "transfers", view{Title: "Transfers", Here: transfersPath, Data: page})
	}
	if err != nil {
		return err
	}
	recorded, err := c.UseCases.ListTransfers.Do(r.Context(), page.Number)
	if err != nil {
		return err
	}
	for _, order := range transfers.Orders {
		page.Orders = append(page.Orders, orderLine{order, c.planName(order.Price), organisationPath(order.OrganisationID)})
	}
	operators.SortByDueDate(transfers.Invoices)
	organisations := map[string]string{}
	for _, inv := range transfers.Invoices {
		organisations[inv.Number] = inv.OrganisationID
		page.Invoices = append(page.Invoices, newInvoiceLine(inv))
	}
	page.HasMore = len(recorded) > maxTransfers
	for _, t := range recorded[:min(len(recorded), maxTransfers)] {
		line := transferLine{RecordedTransfer: t}
		if id := organisations[t.InvoiceNumber]; id != "" && !t.IsReversed {
			line.Path = organisationPath(id) + "/reverse-transfer?reference=" + url.QueryEscape(t.Reference)
		}
		page.Recorded = append(page.Recorded, line)
	}
	return c.respond(w, r, http.StatusOK, "transfers", view{Title: "Transfers", Here: transfersPath, Data: page})
}

// newInvoiceLine returns the invoice with links to the forms that are possible.
func newInvoiceLine(inv operators.CollectedInvoice) invoiceLine {
	line := invoiceLine{CollectedInvoice: inv, Path: organisationPath(inv.OrganisationID)}
	add := func(isPossible bool, label, action string) {
		if isPossible {
			line.Links = append(line.Links, choice{Label: label, Path: line.Path + "/" + action + "?invoice=" + url.QueryEscape(inv.Number)})
		}
	}
	add(true, "Record a payment", "record-payment")
	add(inv.Status == billing.InvoicePaid && inv.Paid.Minor() > inv.Refunded.Minor(), "Record a refund", "record-refund")
	add(inv.Credit.Minor() > 0, "Record a payout", "record-payout")
	add(inv.Status == billing.InvoiceOpen, "Void", "void-invoice")
	return line
}

// transferActions returns the actions of a provider that collects by invoice. The page of transfers links them.
func (c *Console) transferActions() []action {
	return []action{
		{
			name: "approve-orders", title: "Approve payment by invoice", button: "Approve", permission: operators.MayChangeInvoices,
			kind: audit.OperatorAllowedInvoices, prepare: c.prepareApproval, perform: c.approveOrders,
		},
		c.transferAction("record-payment", "Record a payment", operators.PaymentTransfer, audit.OperatorRecordedPayment,
			"A part payment reduces what is owed. An overpayment becomes credit."),
		c.transferAction("record-refund", "Record a refund", operators.RefundTransfer, audit.OperatorRecordedRefund,
			"Make the transfer first. The amount is withdrawn from the customer’s credit."),
		c.transferAction("record-payout", "Record a payout of credit", operators.PayoutTransfer, audit.OperatorRecordedRefund,
			"Make the transfer first. The amount is deducted from the customer’s credit."),
		{
			name: "reverse-transfer", title: "Reverse a transfer", button: "Reverse the transfer", permission: operators.MayChangeInvoices,
			kind: audit.OperatorReversedTransfer, prepare: c.prepareReversal, perform: c.reverseTransfer,
		},
		{
			name: "void-invoice", title: "Void an invoice", button: "Void the invoice", permission: operators.MayChangeInvoices,
			kind: audit.OperatorVoidedInvoice, prepare: c.prepareVoid, perform: c.voidInvoice,
		},
	}
}

func (c *Console) prepareApproval(ctx context.Context, organisationID string, _ url.Values) (actionForm, error) {
	effect, err := c.UseCases.ApproveOrders.Preview(ctx, organisationID)
	return actionForm{Effect: effect, Notes: []string{"The orders start at once, and the customer gets the invoice by email."}}, err
}

func (c *Console) approveOrders(ctx context.Context, req actionRequest) error {
	_, err := c.UseCases.ApproveOrders.Do(ctx, req.useCaseRequest())
	return err
}

// transferAction returns the action that records a transfer for the invoice of the query.
func (c *Console) transferAction(name, title string, kind operators.TransferKind, entry audit.Kind, note string) action {
	return action{
		name: name, title: title, button: title, permission: operators.MayChangeInvoices, kind: entry,
		prepare: func(ctx context.Context, organisationID string, query url.Values) (actionForm, error) {
			preview, err := c.UseCases.RecordTransfer.Preview(ctx, organisationID, query.Get("invoice"), kind)
			if err != nil {
				return actionForm{}, err
			}
			currency := preview.Amount.Currency().Code
			return actionForm{
				Effect: preview.Effect, Notes: []string{note},
				Fields: []field{
					{
						Name: "amount", Label: "Amount in " + currency,
						Value: strings.TrimPrefix(preview.Amount.FormatWithCode(), currency+" "),
					},
					{Name: "reference", Label: "Reference", Hint: "As in the statement of the bank. Each reference counts once.", IsText: true},
				},
			}, nil
		},
		perform: func(ctx context.Context, req actionRequest) error {
			result, err := c.UseCases.RecordTransfer.Do(ctx, req.useCaseRequest(), operators.TransferRequest{
				Kind: kind, Number: req.Query.Get("invoice"), Amount: req.Form.Get("amount"), Reference: req.Form.Get("reference"),
			})
			if err == nil && result.AlreadyRecorded {
				return fault.New(fault.Conflict, "The transfer with this reference is recorded already. Nothing has changed.")
			}
			return err
		},
	}
}

func (c *Console) prepareReversal(ctx context.Context, organisationID string, query url.Values) (actionForm, error) {
	effect, err := c.UseCases.ReverseTransfer.Preview(ctx, organisationID, query.Get("reference"))
	return actionForm{Effect: effect, Notes: []string{
		"For a transfer that was recorded by mistake. The due date of the invoice stays, so an overdue plan can end at once.",
	}}, err
}

func (c *Console) reverseTransfer(ctx context.Context, req actionRequest) error {
	_, err := c.UseCases.ReverseTransfer.Do(ctx, req.useCaseRequest(), req.Query.Get("reference"))
	return err
}

func (c *Console) prepareVoid(ctx context.Context, organisationID string, query url.Values) (actionForm, error) {
	effect, err := c.UseCases.VoidInvoice.Preview(ctx, organisationID, query.Get("invoice"))
	return actionForm{Effect: effect, Notes: []string{"Nothing is owed any more, and part payments become credit."}}, err
}

func (c *Console) voidInvoice(ctx context.Context, req actionRequest) error {
	_, err := c.UseCases.VoidInvoice.Do(ctx, req.useCaseRequest(), req.Query.Get("invoice"))
	return err
}
