package invoicepayment

import (
	"context"
	"log/slog"

	"github.com/vc-admin/diy/adapters/invoicepdf"
	"github.com/vc-admin/diy/adapters/ledger"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/engine"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/payment/plugin"
)

var (
	_ payment.Provider  = (*Provider)(nil)
	_ payment.Worker    = (*Provider)(nil)
	_ payment.Transfers = (*Provider)(nil)
)

// Config configures a provider.
type Config struct {
	Database  plugin.Database
	Clock     clock.Clock
	Catalogue *catalogue.Catalogue
	Seller    invoicepdf.Party // on invoices
	Terms     Terms
	Log       *slog.Logger // default: discards
	// RequireApproval is set if an operator has to approve an organisation before its first subscription starts.
	RequireApproval bool
}

// Terms are the conditions of payment.
type Terms struct {
	engine.Terms
	BankAccount []AccountLine // the bank account that customers pay to
}

// AccountLine is a line of the bank account, such as "BSB: 062-000".
type AccountLine struct{ Label, Value string }

// Provider implements the payment port. Its methods may be called concurrently.
type Provider struct {
	unimplementedMethods
	*ledger.Ledger
	Config
}

// unimplementedMethods embeds payment.Unimplemented one level deeper than the ledger, so that Go selects the methods of
// the ledger.
type unimplementedMethods struct{ payment.Unimplemented }

// New returns a provider. Its tables must exist, see Adapter.Migrations.
func New(c Config) *Provider {
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	p := &Provider{Config: c}
	config := ledger.Config{
		Database: c.Database, Clock: c.Clock, Catalogue: c.Catalogue, Terms: c.Terms.Terms, Seller: c.Seller,
		TablePrefix:       "invoice_",
		IDPrefixes:        ledger.IDPrefixes{Customer: "icus_", Subscription: "isub_", Invoice: "inv_", Event: "ievt_"},
		NeededInvoicesSQL: hasRefundSQL, ReceivedPayments: receivedTransfers,
		PaymentInstructions: p.paymentInstructions, SetPaymentFields: setPaymentFields,
	}
	if c.RequireApproval {
		config.IsApproved = isApproved
	}
	p.Ledger = ledger.New(config)
	return p
}

const isApprovedSQL = "SELECT EXISTS (SELECT 1 FROM invoice_approvals WHERE organisation_id = ?)"

// isApproved reports whether an operator has approved the organisation.
func isApproved(ctx context.Context, tx plugin.Tx, organisationID string) (approved bool, err error) {
	err = tx.Get(ctx, &approved, isApprovedSQL, organisationID)
	return approved, err
}

// Capabilities implements payment.Provider. LongestRequest is 0, because no request acts after Retire has returned.
func (p *Provider) Capabilities() payment.Capabilities {
	return payment.Capabilities{
		Entry: payment.EntryInvoice,
		Missing: map[payment.Capability]string{
			payment.SavedMethods:     "customers pay by bank transfer",
			payment.CheaperChangeNow: "a cheaper plan begins with the next period",
			payment.Webhooks:         "a bank sends no events",
		},
	}
}
