package invoicepayment

import (
	"context"
	"log/slog"
	"time"

	"github.com/vc-admin/diy/adapters/invoicepdf"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/engine"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/payment/plugin"
	"github.com/vc-admin/diy/ports/payment/plugin/tables"
)

var (
	_ payment.Provider = (*Provider)(nil)
	_ payment.Worker   = (*Provider)(nil)
)

// Config configures a provider.
type Config struct {
	Database  plugin.Database
	Clock     clock.Clock
	Catalogue *catalogue.Catalogue
	Seller    invoicepdf.Party // on invoices
	Terms     Terms
	Log       *slog.Logger // default: discards
	// Approval requires that an operator allows an organisation to pay by invoice before its first
	// subscription starts.
	Approval bool
}

// Terms are the conditions of payment.
type Terms struct {
	engine.Terms
	Account []Field // the bank account that customers pay to
}

// Field is a line of the bank account, such as BSB and 062-000.
type Field struct{ Label, Value string }

// Provider implements the payment port. Its methods may be called concurrently.
type Provider struct {
	payment.Unimplemented
	Config
	keys      tables.Keys
	customers tables.Customers
}

// New returns a provider whose tables exist, see Adapter.Migrations.
func New(c Config) *Provider {
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	p := &Provider{Config: c, keys: tables.Keys{Database: c.Database, Table: "invoice_responses"}}
	p.customers = tables.Customers{Database: c.Database, Table: "invoice_customers", Clock: c.Clock, Event: "ievt_", Update: p.update}
	return p
}

func (p *Provider) now() time.Time { return p.Clock.Now().UTC().Truncate(time.Second) }

// Capabilities implements payment.Provider. A retired key is safe as soon as Retire returns.
func (p *Provider) Capabilities() payment.Capabilities {
	return payment.Capabilities{
		Entry: payment.EntryInvoice,
		Missing: map[payment.Capability]string{
			payment.SavedMethods: "customers pay by bank transfer",
			payment.PayInvoice:   "customers pay by bank transfer",
			payment.CheaperNow:   "a cheaper plan begins with the next period",
			payment.Disputes:     "a customer can't dispute a transfer",
			payment.PushEvents:   "a bank sends no events",
			payment.PriceSync:    "the prices are those of the catalogue",
		},
	}
}

// read calls fn with the customer's ledger after everything that is due has happened.
func (p *Provider) read(ctx context.Context, customerID string, fn func(*ledger) error) error {
	return p.readInTx(ctx, customerID, scope{}, func(_ plugin.Tx, l *ledger) error { return fn(l) })
}

// readInTx is like read for a function that also reads other records in the transaction.
func (p *Provider) readInTx(ctx context.Context, customerID string, with scope, fn func(plugin.Tx, *ledger) error) error {
	due := false
	view := func(tx plugin.Tx) error {
		l, err := p.load(ctx, tx, customerID, false, with)
		if err != nil {
			return err
		}
		if next := l.account.NextAt(); !next.IsZero() && !next.After(l.account.Now) {
			due = true
			return nil
		}
		return fn(tx, l)
	}
	err := p.Database.Read(ctx, view)
	if err != nil || !due {
		return unavailable(err)
	}
	if _, err := p.update(ctx, customerID, func(*tables.Reports) {}); err != nil {
		return err
	}
	return unavailable(p.Database.Read(ctx, func(tx plugin.Tx) error {
		l, err := p.load(ctx, tx, customerID, false, with)
		if err != nil {
			return err
		}
		return fn(tx, l)
	}))
}

// unavailable converts errors of other packages than this one.
func unavailable(err error) error {
	if err == nil || fault.CodeOf(err) != fault.Internal {
		return err
	}
	return fault.Wrap(err, fault.Internal, "The invoices can't be read")
}
