package diycmd

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/vc-admin/diy/adapters/invoicepayment"
	"github.com/vc-admin/diy/adapters/sqlstorage"
	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/app/operators"
	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/payment/plugin"
)

// errNotInvoiceProvider is the error of `diy invoice` with another provider.
var errNotInvoiceProvider = configError{problems: []string{"DIY_PAYMENTS must be invoice for this command"}}

// invoiceFlags are the flags of all verbs of `diy invoice`.
type invoiceFlags struct {
	actionFlags
	number, amount, currency, reference string
	all, credit                         bool
}

// invoiceTools contains the dependencies of the verbs of `diy invoice`.
type invoiceTools struct {
	store    *sqlstorage.Store
	provider *invoicepayment.Provider
	useCases *app.UseCases
}

// invoiceAction runs a verb of `diy invoice`.
type invoiceAction = func(program, context.Context, invoiceTools, invoiceFlags) error

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
		provider, err := openInvoiceProvider(c, store, newLogger(p.stderr))
		if err != nil {
			return err
		}
		useCases, err := p.operatorUseCases(c, store)
		if err != nil {
			return err
		}
		return v.action(p, ctx, invoiceTools{store, provider, useCases}, f)
	})
}

// openInvoiceProvider opens the provider with the settings of the server.
func openInvoiceProvider(c config, store *sqlstorage.Store, log *slog.Logger) (*invoicepayment.Provider, error) {
	integration, ok := c.integration().(pluginIntegration)
	if !ok {
		return nil, errNotInvoiceProvider
	}
	if _, ok := integration.Adapter.(invoicepayment.Adapter); !ok {
		return nil, errNotInvoiceProvider
	}
	clock, err := c.commandClock()
	if err != nil {
		return nil, err
	}
	return invoicepayment.Open(integration.settings(c), plugin.Dependencies{
		Catalogue: c.catalogue, Clock: clock, Log: log, Database: store.Database(), PublicURL: c.PublicURL, Brand: c.branding.Name,
	})
}

func (p program) listInvoices(ctx context.Context, t invoiceTools, f invoiceFlags) error {
	if f.org != "" {
		if _, err := t.store.Organisation(ctx, f.org); err != nil {
			return err
		}
	}
	invoices, err := t.provider.ListInvoiceInfo(ctx, invoicepayment.InvoiceFilter{All: f.all, OrganisationID: f.org})
	if err != nil {
		return err
	}
	orders, err := t.provider.PendingOrders(ctx)
	if err != nil {
		return err
	}
	for _, order := range orders {
		if f.org == "" || f.org == order.OrganisationID {
			_, _ = fmt.Fprintf(p.stdout, "%s of %s has ordered %s on %s and waits for: diy invoice allow --org %s\n",
				order.CustomerName, order.OrganisationID, order.Price.PriceID(), dateOnly(order.OrderedAt), order.OrganisationID)
		}
	}
	reports, err := transferReports(ctx, t.store, invoices)
	if err != nil {
		return err
	}
	return p.printInvoices(invoices, reports)
}

// transferReports returns when the customers reported to have paid the invoices by bank transfer, by the ids of the
// invoices, in the organisations' time zones.
func transferReports(
	ctx context.Context, store *sqlstorage.Store, invoices []invoicepayment.InvoiceInfo,
) (map[string]time.Time, error) {
	reports, isRead := map[string]time.Time{}, map[string]bool{}
	for _, inv := range invoices {
		if isRead[inv.OrganisationID] {
			continue
		}
		isRead[inv.OrganisationID] = true
		org, err := store.Organisation(ctx, inv.OrganisationID)
		if err != nil && !fault.Is(err, fault.NotFound) {
			return nil, err
		}
		if report := org.Billing.TransferReport; report.InvoiceID != "" {
			reports[report.InvoiceID] = org.TimeZone().In(report.At)
		}
	}
	return reports, nil
}

func (p program) printInvoices(invoices []invoicepayment.InvoiceInfo, reports map[string]time.Time) error {
	rows := newTable("NUMBER", "STATUS", "TOTAL", "CREDIT USED", "PAID", "OWED", "ISSUED", "DUE", "REPORTED", "SUBSCRIPTION",
		"CREDIT", "ORGANISATION", "NAME")
	for _, inv := range invoices {
		rows.add(inv.Number, inv.Status, inv.Total, inv.CreditUsed, formatPaid(inv), inv.Balance, dateOnly(inv.Created),
			dateOnly(inv.DueAt), dateOnly(reports[inv.ID]), formatSubscription(inv), inv.Credit, inv.OrganisationID, inv.CustomerName)
	}
	return rows.write(p.stdout, "there are no invoices to show")
}

func formatPaid(inv invoicepayment.InvoiceInfo) string {
	if inv.Refunded.Minor() == 0 {
		return inv.Paid.String()
	}
	return fmt.Sprintf("%s, %s refunded", inv.Paid, inv.Refunded)
}

func formatSubscription(inv invoicepayment.InvoiceInfo) string {
	if inv.EndsAt.IsZero() {
		return string(inv.SubscriptionStatus)
	}
	return fmt.Sprintf("%s, ends %s", inv.SubscriptionStatus, dateOnly(inv.EndsAt))
}

// transfer returns the transfer that the flags describe.
func (f invoiceFlags) transfer() (invoicepayment.Transfer, error) {
	amount, err := money.Parse(f.amount, f.currency)
	if err != nil {
		return invoicepayment.Transfer{},
			fault.Wrap(err, fault.Invalid, "--amount and --currency must be an amount of money, such as 664.90 and AUD")
	}
	return invoicepayment.Transfer{InvoiceNumber: f.number, Amount: amount, Reference: f.reference}, nil
}

func (p program) recordPayment(ctx context.Context, t invoiceTools, f invoiceFlags) error {
	return p.recordTransfer(ctx, t, f, audit.OperatorRecordedPayment, t.provider.RecordPayment, "received")
}

func (p program) recordRefund(ctx context.Context, t invoiceTools, f invoiceFlags) error {
	record := t.provider.RecordRefund
	if f.credit {
		record = t.provider.RecordCreditPayout
	}
	return p.recordTransfer(ctx, t, f, audit.OperatorRecordedRefund, record, "returned")
}

// recordTransfer calls record with the transfer that the flags describe, and prints what has changed. The direction is
// "received" or "returned".
func (p program) recordTransfer(
	ctx context.Context, t invoiceTools, f invoiceFlags, kind audit.Kind,
	record func(context.Context, invoicepayment.Transfer) (invoicepayment.TransferResult, error), direction string,
) error {
	transfer, err := f.transfer()
	if err != nil {
		return err
	}
	var result invoicepayment.TransferResult
	err = p.changeInvoice(ctx, t, f, kind, func(ctx context.Context) (changed operators.ChangedInvoice, err error) {
		result, err = record(ctx, transfer)
		return operators.ChangedInvoice{
			OrganisationID: result.OrganisationID, InvoiceID: result.ID, IsRepeat: result.AlreadyRecorded,
			Data: operators.TransferData(result.Number, transfer.Amount),
		}, err
	})
	if err != nil {
		return err
	}
	return p.printTransferResult(transfer, result, direction)
}

// changeInvoice applies a change for the operator of the flags.
func (p program) changeInvoice(
	ctx context.Context, t invoiceTools, f invoiceFlags, kind audit.Kind,
	apply func(context.Context) (operators.ChangedInvoice, error),
) error {
	ctx, req := p.actionRequest(ctx, f.actionFlags)
	return t.useCases.ChangeInvoice.Do(ctx, req, operators.InvoiceChange{Kind: kind, Apply: apply})
}

// changedInvoice describes a change of the invoice.
func changedInvoice(inv invoicepayment.InvoiceInfo) operators.ChangedInvoice {
	return operators.ChangedInvoice{
		OrganisationID: inv.OrganisationID, InvoiceID: inv.ID, Data: audit.Data{"number": audit.Code(inv.Number)},
	}
}

func (p program) printTransferResult(transfer invoicepayment.Transfer, result invoicepayment.TransferResult, direction string) error {
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
func (p program) printInvoice(inv invoicepayment.InvoiceInfo, event string) error {
	state := string(inv.Status)
	if inv.Balance.Minor() > 0 {
		state = fmt.Sprintf("open, %s of %s are owed", inv.Balance, inv.Total)
	}
	_, err := fmt.Fprintf(p.stdout, "%s of %s: %s; it is %s; the subscription is %s%s\n",
		inv.Number, inv.CustomerName, event, state, inv.SubscriptionStatus, describeCredit(inv))
	return err
}

// describeCredit returns the end of a sentence about the customer's credit, or "" if there is no credit.
func describeCredit(inv invoicepayment.InvoiceInfo) string {
	if inv.Credit.Minor() == 0 {
		return ""
	}
	return fmt.Sprintf("; the customer has a credit of %s", inv.Credit)
}

func (p program) reverseTransfer(ctx context.Context, t invoiceTools, f invoiceFlags) error {
	var inv invoicepayment.InvoiceInfo
	err := p.changeInvoice(ctx, t, f, audit.OperatorReversedTransfer, func(ctx context.Context) (_ operators.ChangedInvoice, err error) {
		inv, err = t.provider.ReverseTransfer(ctx, f.reference)
		return changedInvoice(inv), err
	})
	if err != nil {
		return err
	}
	return p.printInvoice(inv, fmt.Sprintf("the transfer %q was reversed", f.reference))
}

func (p program) listTransfers(ctx context.Context, t invoiceTools, f invoiceFlags) error {
	transfers, err := t.provider.ListTransfers(ctx, f.number)
	if err != nil {
		return err
	}
	rows := newTable("RECORDED", "INVOICE", "AMOUNT", "REFERENCE")
	for _, transfer := range transfers {
		rows.add(transfer.RecordedAt, transfer.InvoiceNumber, transfer.Amount, transfer.Reference)
	}
	return rows.write(p.stdout, "there are no transfers to show")
}

func (p program) voidInvoice(ctx context.Context, t invoiceTools, f invoiceFlags) error {
	var inv invoicepayment.InvoiceInfo
	err := p.changeInvoice(ctx, t, f, audit.OperatorVoidedInvoice, func(ctx context.Context) (_ operators.ChangedInvoice, err error) {
		inv, err = t.provider.VoidInvoice(ctx, f.number)
		return changedInvoice(inv), err
	})
	if err != nil {
		return err
	}
	return p.printInvoice(inv, "nothing is owed")
}

func (p program) allowInvoices(ctx context.Context, t invoiceTools, f invoiceFlags) error {
	org, err := t.store.Organisation(ctx, f.org)
	if err != nil {
		return err
	}
	startedCount := 0
	err = p.changeInvoice(ctx, t, f, audit.OperatorAllowedInvoices, func(ctx context.Context) (_ operators.ChangedInvoice, err error) {
		startedCount, err = t.provider.ApproveOrganisation(ctx, org.ID)
		return operators.ChangedInvoice{OrganisationID: org.ID}, err
	})
	if err != nil {
		return err
	}
	effect := "no subscription was waiting"
	if startedCount > 0 {
		effect = "its subscription has started"
	}
	_, err = fmt.Fprintf(p.stdout, "%s may pay by invoice; %s\n", org.Name, effect)
	return err
}
