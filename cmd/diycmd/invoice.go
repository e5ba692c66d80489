package diycmd

import (
	"context"
	"fmt"

	"github.com/vc-admin/diy/adapters/sqlstorage"
	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/app/operators"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/payment"
)

// errNotInvoiceProvider is the error of `diy invoice` with another provider.
var errNotInvoiceProvider = configError{problems: []string{"DIY_PAYMENTS must be invoice for this command"}}

// invoiceFlags are the flags of all verbs of `diy invoice`.
type invoiceFlags struct {
	actionFlags
	number, amount, currency, reference string
	all, credit                         bool
}

// invoiceAction runs a verb of `diy invoice`.
type invoiceAction = func(program, context.Context, *app.UseCases, invoiceFlags) error

// changeFlags returns the flags that a verb requires besides the reason and the ticket.
func changeFlags(names ...string) []string { return append(names, "reason", "ticket") }

var invoiceVerbs = []verb[invoiceAction]{
	{"list", nil, []string{"org", "all"}, program.listInvoices,
		"lists orders that wait for approval and unpaid invoices, of all organisations or of --org; with --all also\n" +
			"             paid and void invoices."},
	{"paid", changeFlags("number", "amount", "currency", "reference"), actionOptionalFlags, program.recordPayment,
		"records a payment of --number. --reference identifies the transfer in the bank statement and counts\n" +
			"             once. A part payment reduces the balance. An overpayment, or a payment of an invoice that is not open,\n" +
			"             becomes credit of the customer."},
	{"refund", changeFlags("number", "amount", "currency", "reference"), append([]string{"credit"}, actionOptionalFlags...),
		program.recordRefund,
		"records a refund of the paid invoice --number, and withdraws it from the customer's credit. With --credit it\n" +
			"             records credit that was paid out, such as an overpayment."},
	{"reverse", changeFlags("reference"), actionOptionalFlags, program.reverseTransfer,
		"undoes the record of a transfer that was entered by mistake."},
	{"transfers", nil, []string{"number"}, program.listTransfers, "lists the recorded transfers, all or those of --number."},
	{"void", changeFlags("number"), actionOptionalFlags, program.voidInvoice,
		"voids --number: nothing is owed, and part payments become credit. Its subscription, if running, ends at once."},
	{"allow", actionRequiredFlags, actionOptionalFlags, program.allowInvoices,
		"approves --org for payment by invoice, and starts the subscription that waits for it."},
}

// runInvoice runs `diy invoice` for the operator of a server with DIY_PAYMENTS=invoice. It works while servers run.
func (p program) runInvoice(ctx context.Context, args []string) error {
	set := newVerbFlagSet(p, "invoice", invoiceVerbs)
	var f invoiceFlags
	f.register(set)
	set.Var((*pastedCode)(&f.number), "number", "the number of the invoice, such as INV-000042")
	set.Var((*pastedCode)(&f.amount), "amount", "the transferred amount, such as 664.90")
	set.Var((*pastedCode)(&f.currency), "currency", "its currency, such as AUD")
	set.Var((*pastedCode)(&f.reference), "reference", "what identifies the transfer in the bank statement")
	set.BoolVar(&f.all, "all", false, "list: also paid and void invoices")
	set.BoolVar(&f.credit, "credit", false, "refund: the customer's credit was paid out")
	v, err := parseVerb(set, args, invoiceVerbs)
	if err != nil {
		return err
	}
	return p.withStore(ctx, openStore, func(c config, store *sqlstorage.Store) error {
		if _, ok := c.integration().(pluginIntegration); !ok {
			return errNotInvoiceProvider
		}
		return p.withUseCases(ctx, c, store, func(u *app.UseCases) error {
			if !u.ShowTransfers.IsSupported() {
				return errNotInvoiceProvider
			}
			return v.action(p, ctx, u, f)
		})
	})
}

// reader returns a context of the operator who runs a command that only reads.
func (p program) reader(ctx context.Context) context.Context {
	return operators.WithOperator(ctx, operators.CommandLine(p.operatorName()))
}

func (p program) listInvoices(ctx context.Context, u *app.UseCases, f invoiceFlags) error {
	transfers, err := u.ShowTransfers.Do(p.reader(ctx), payment.InvoiceFilter{All: f.all, OrganisationID: f.org})
	if err != nil {
		return err
	}
	for _, order := range transfers.Orders {
		_, _ = fmt.Fprintf(p.stdout, "%s of %s has ordered %s on %s and waits for: diy invoice allow --org %s\n",
			order.CustomerName, order.OrganisationID, order.Price.PriceID(), dateOnly(order.OrderedAt), order.OrganisationID)
	}
	return p.printInvoices(transfers.Invoices)
}

func (p program) printInvoices(invoices []operators.CollectedInvoice) error {
	rows := newTable("NUMBER", "STATUS", "TOTAL", "CREDIT USED", "PAID", "OWED", "ISSUED", "DUE", "REPORTED", "SUBSCRIPTION",
		"CREDIT", "ORGANISATION", "NAME")
	for _, inv := range invoices {
		rows.add(inv.Number, inv.Status, inv.Total, inv.CreditUsed, formatPaid(inv.InvoiceInfo), inv.Balance, dateOnly(inv.Created),
			dateOnly(inv.DueAt), dateOnly(inv.ReportedAt), formatSubscription(inv.InvoiceInfo), inv.Credit, inv.OrganisationID, inv.CustomerName)
	}
	return rows.write(p.stdout, "there are no invoices to show")
}

func formatPaid(inv payment.InvoiceInfo) string {
	if inv.Refunded.Minor() == 0 {
		return inv.Paid.String()
	}
	return fmt.Sprintf("%s, %s refunded", inv.Paid, inv.Refunded)
}

func formatSubscription(inv payment.InvoiceInfo) string {
	if inv.EndsAt.IsZero() {
		return string(inv.SubscriptionStatus)
	}
	return fmt.Sprintf("%s, ends %s", inv.SubscriptionStatus, dateOnly(inv.EndsAt))
}

func (p program) recordPayment(ctx context.Context, u *app.UseCases, f invoiceFlags) error {
	return p.recordTransfer(ctx, u, f, operators.PaymentTransfer, "received")
}

func (p program) recordRefund(ctx context.Context, u *app.UseCases, f invoiceFlags) error {
	kind := operators.RefundTransfer
	if f.credit {
		kind = operators.PayoutTransfer
	}
	return p.recordTransfer(ctx, u, f, kind, "returned")
}

// recordTransfer records the transfer that the flags describe, and prints what has changed. The direction is "received" or
// "returned".
func (p program) recordTransfer(
	ctx context.Context, u *app.UseCases, f invoiceFlags, kind operators.TransferKind, direction string,
) error {
	amount, err := money.Parse(f.amount, f.currency)
	if err != nil {
		return fault.Wrap(err, fault.Invalid, "--amount and --currency must be an amount of money, such as 664.90 and AUD")
	}
	ctx, req := p.actionRequest(ctx, f.actionFlags)
	result, err := u.RecordTransfer.Do(ctx, req, operators.TransferRequest{
		Kind: kind, Number: f.number, Amount: f.amount, Currency: f.currency, Reference: f.reference,
	})
	if err != nil {
		return err
	}
	return p.printTransferResult(payment.Transfer{Amount: amount, Reference: f.reference}, result, direction)
}

func (p program) printTransferResult(transfer payment.Transfer, result payment.TransferResult, direction string) error {
	event := fmt.Sprintf("%s %s", transfer.Amount, direction)
	switch {
	case result.AlreadyRecorded:
		event = fmt.Sprintf("the transfer %q was recorded before, nothing has changed", transfer.Reference)
	case result.Credited.Minor() > 0:
		event += fmt.Sprintf(", of which %s became credit", result.Credited)
	case result.Credited.Minor() < 0:
		event += " from the customer's credit"
	}
	if result.Withdrawn.Minor() > 0 {
		event += fmt.Sprintf("; %s were withdrawn from the customer's credit", result.Withdrawn)
	}
	if result.Spent.Minor() > 0 {
		event += fmt.Sprintf("; %s of the customer's credit were spent already and can't be withdrawn", result.Spent)
	}
	return p.printInvoice(result.InvoiceInfo, event)
}

// printInvoice prints an event of the invoice and the invoice's state.
func (p program) printInvoice(inv payment.InvoiceInfo, event string) error {
	state := string(inv.Status)
	if inv.Balance.Minor() > 0 {
		state = fmt.Sprintf("open, %s of %s are owed", inv.Balance, inv.Total)
	}
	_, err := fmt.Fprintf(p.stdout, "%s of %s: %s; it is %s; the subscription is %s%s\n",
		inv.Number, inv.CustomerName, event, state, inv.SubscriptionStatus, describeCredit(inv))
	return err
}

// describeCredit returns the end of a sentence about the customer's credit, or "" if there is no credit.
func describeCredit(inv payment.InvoiceInfo) string {
	if inv.Credit.Minor() == 0 {
		return ""
	}
	return fmt.Sprintf("; the customer has a credit of %s", inv.Credit)
}

func (p program) reverseTransfer(ctx context.Context, u *app.UseCases, f invoiceFlags) error {
	ctx, req := p.actionRequest(ctx, f.actionFlags)
	inv, err := u.ReverseTransfer.Do(ctx, req, f.reference)
	if err != nil {
		return err
	}
	return p.printInvoice(inv, fmt.Sprintf("the transfer %q was reversed", f.reference))
}

func (p program) listTransfers(ctx context.Context, u *app.UseCases, f invoiceFlags) error {
	transfers, err := u.ListTransfers.Do(p.reader(ctx), f.number)
	if err != nil {
		return err
	}
	rows := newTable("RECORDED", "INVOICE", "AMOUNT", "REFERENCE")
	for _, transfer := range transfers {
		rows.add(transfer.RecordedAt, transfer.InvoiceNumber, transfer.Amount, transfer.Reference)
	}
	return rows.write(p.stdout, "there are no transfers to show")
}

func (p program) voidInvoice(ctx context.Context, u *app.UseCases, f invoiceFlags) error {
	ctx, req := p.actionRequest(ctx, f.actionFlags)
	inv, err := u.VoidInvoice.Do(ctx, req, f.number)
	if err != nil {
		return err
	}
	return p.printInvoice(inv, "nothing is owed")
}

func (p program) allowInvoices(ctx context.Context, u *app.UseCases, f invoiceFlags) error {
	ctx, req := p.actionRequest(ctx, f.actionFlags)
	approval, err := u.ApproveOrders.Do(ctx, req)
	if err != nil {
		return err
	}
	effect := "no subscription was waiting"
	if approval.StartedCount > 0 {
		effect = "its subscription has started"
	}
	_, err = fmt.Fprintf(p.stdout, "%s may pay by invoice; %s\n", approval.Organisation.Name, effect)
	return err
}
