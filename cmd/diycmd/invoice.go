package diycmd

import (
	"context"
	"flag"
	"fmt"
	"log/slog"
	"text/tabwriter"
	"time"

	"github.com/vc-admin/diy/adapters/devclock"
	"github.com/vc-admin/diy/adapters/invoicepayment"
	"github.com/vc-admin/diy/adapters/sqlstorage"
	"github.com/vc-admin/diy/adapters/systemclock"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/payment/plugin"
)

// errNotInvoice refuses `diy invoice` for another provider.
var errNotInvoice = configError{problems: []string{"DIY_PAYMENTS must be invoice for this command"}}

// invoiceFlags are the flags of all verbs of `diy invoice`.
type invoiceFlags struct {
	org, number, amount, currency, reference string
	all                                      bool
}

// invoiceVerbs are the verbs of `diy invoice`: the flags that they require, and what they do.
var invoiceVerbs = map[string]struct {
	required []string
	do       func(program, context.Context, *sqlstorage.Store, *invoicepayment.Provider, invoiceFlags) error
}{
	"list":  {nil, program.listInvoices},
	"paid":  {[]string{"number", "amount", "currency"}, program.recordPayment},
	"void":  {[]string{"number"}, program.voidInvoice},
	"allow": {[]string{"org"}, program.allowInvoices},
}

// invoice is for the operator of a server with DIY_PAYMENTS=invoice. It works while servers run.
func (p program) invoice(ctx context.Context, args []string) error {
	set := p.flags("invoice list|paid|void|allow", "list:  shows the unpaid invoices, of all organisations or of --org; with --all also the others.\n"+
		"  paid:  records a payment of --number with --amount and --currency. A part payment reduces the balance; what is\n"+
		"         paid too much becomes credit. --reference identifies the transfer, so that it is recorded once.\n"+
		"  void:  voids --number: nothing is owed. A running subscription that it pays for ends.\n"+
		"  allow: allows --org to pay by invoice, and starts the subscription that waits for that.")
	var f invoiceFlags
	set.StringVar(&f.org, "org", "", "the organisation's id")
	set.StringVar(&f.number, "number", "", "the number of the invoice, such as INV-000042")
	set.StringVar(&f.amount, "amount", "", "the amount that was received, such as 664.90")
	set.StringVar(&f.currency, "currency", "", "its currency, such as AUD")
	set.StringVar(&f.reference, "reference", "", "what identifies the transfer in the bank statement")
	set.BoolVar(&f.all, "all", false, "also invoices that are paid or void")
	name, err := parseVerb(set, args, "list", "paid", "void", "allow")
	if err != nil {
		return err
	}
	verb := invoiceVerbs[name]
	if err := requireFlags(set, verb.required); err != nil {
		return err
	}
	return p.withStore(ctx, openStore, func(c config, store *sqlstorage.Store) error {
		provider, err := openInvoices(c, store)
		if err != nil {
			return err
		}
		return verb.do(p, ctx, store, provider, f)
	})
}

// requireFlags prints the usage and fails unless all flags have values.
func requireFlags(set *flag.FlagSet, names []string) error {
	for _, name := range names {
		if set.Lookup(name).Value.String() == "" {
			_, _ = fmt.Fprintf(set.Output(), "diy: --%s is missing\n", name)
			set.Usage()
			return errUsage
		}
	}
	return nil
}

// openInvoices opens the provider as the server does.
func openInvoices(c config, store *sqlstorage.Store) (*invoicepayment.Provider, error) {
	profile, ok := c.payment().(pluginPayments)
	if !ok {
		return nil, errNotInvoice
	}
	if _, ok := profile.Adapter.(invoicepayment.Adapter); !ok {
		return nil, errNotInvoice
	}
	var now clock.Clock = systemclock.New()
	if !c.production() {
		moved, err := devclock.Open(c.devFile("clock"), nil)
		if err != nil {
			return nil, err
		}
		now = moved
	}
	return invoicepayment.Open(profile.settings(c), plugin.Dependencies{
		Catalogue: c.catalogue, Clock: now, Log: slog.New(slog.DiscardHandler), Database: store.Database(), PublicURL: c.PublicURL,
	})
}

func (p program) listInvoices(ctx context.Context, _ *sqlstorage.Store, provider *invoicepayment.Provider, f invoiceFlags) error {
	found, err := provider.Invoices(ctx, invoicepayment.Filter{All: f.all, OrganisationID: f.org})
	if err != nil {
		return err
	}
	if len(found) == 0 {
		_, err := fmt.Fprintln(p.stdout, "there are no invoices to show")
		return err
	}
	table := tabwriter.NewWriter(p.stdout, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(table, "NUMBER\tSTATUS\tAMOUNT\tBALANCE\tISSUED\tDUE\tSUBSCRIPTION\tORGANISATION\tNAME")
	for _, inv := range found {
		_, _ = fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", inv.Number, inv.Status, inv.Due, inv.Balance,
			inv.Created.Format(time.DateOnly), inv.DueAt.Format(time.DateOnly), subscriptionColumn(inv), inv.Organisation, inv.Customer)
	}
	return table.Flush()
}

func subscriptionColumn(inv invoicepayment.InvoiceInfo) string {
	if inv.EndsAt.IsZero() {
		return string(inv.Subscription)
	}
	return fmt.Sprintf("%s, ends %s", inv.Subscription, inv.EndsAt.Format(time.DateOnly))
}

func (p program) recordPayment(ctx context.Context, _ *sqlstorage.Store, provider *invoicepayment.Provider, f invoiceFlags) error {
	amount, err := money.Parse(f.amount, f.currency)
	if err != nil {
		return fault.Wrap(err, fault.Invalid, "--amount and --currency are no amount of money")
	}
	inv, err := provider.MarkPaid(ctx, invoicepayment.Payment{Number: f.number, Amount: amount, Reference: f.reference})
	if err != nil {
		return err
	}
	if inv.Status == billing.InvoiceOpen {
		_, err = fmt.Fprintf(p.stdout, "%s of %s: %s received, %s of %s remain\n", inv.Number, inv.Customer, amount, inv.Balance, inv.Due)
		return err
	}
	_, err = fmt.Fprintf(p.stdout, "%s of %s is paid; the subscription is %s%s\n", inv.Number, inv.Customer, inv.Subscription, creditNote(inv))
	return err
}

func creditNote(inv invoicepayment.InvoiceInfo) string {
	if inv.Credit.Minor() == 0 {
		return ""
	}
	return fmt.Sprintf("; the customer has a credit of %s", inv.Credit)
}

func (p program) voidInvoice(ctx context.Context, _ *sqlstorage.Store, provider *invoicepayment.Provider, f invoiceFlags) error {
	inv, err := provider.Void(ctx, f.number)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(p.stdout, "%s of %s is void; the subscription is %s%s\n", inv.Number, inv.Customer, inv.Subscription, creditNote(inv))
	return err
}

func (p program) allowInvoices(ctx context.Context, store *sqlstorage.Store, provider *invoicepayment.Provider, f invoiceFlags) error {
	org, err := store.Organisation(ctx, f.org)
	if err != nil {
		return err
	}
	started, err := provider.Allow(ctx, org.ID)
	if err != nil {
		return err
	}
	waiting := "no subscription was waiting"
	if started > 0 {
		waiting = "its subscription has started"
	}
	_, err = fmt.Fprintf(p.stdout, "%s may pay by invoice; %s\n", org.Name, waiting)
	return err
}
