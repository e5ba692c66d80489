package ledger

import (
	"context"
	"crypto/rand"
	"errors"
	"strings"
	"time"

	"github.com/vc-admin/diy/adapters/invoicepdf"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/engine"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/payment/plugin"
	"github.com/vc-admin/diy/ports/payment/plugin/tables"
)

// Config configures a ledger.
type Config struct {
	Database    plugin.Database
	Clock       clock.Clock
	Catalogue   *catalogue.Catalogue
	Terms       engine.Terms
	Seller      invoicepdf.Party // on invoices
	TablePrefix string           // of the names of its tables; a constant, because it is part of SQL statements
	IDPrefixes  IDPrefixes
	// IsApproved reports whether the orders of an organisation start without an approval; nil if no approvals are needed.
	IsApproved func(ctx context.Context, tx plugin.Tx, organisationID string) (bool, error)
	// NeededInvoicesSQL is an SQL condition on the table of invoices, i. An account loads the invoices that meet the
	// condition, in addition to open invoices and those of its subscriptions and attempts. "" selects none.
	NeededInvoicesSQL string
	// PendingCustomersSQL selects the ids of the customers with open payments or refunds, see tables.CustomerWorker.PendingSQL.
	PendingCustomersSQL string
	// LoadState adds the data in Customer.State and in the adapter's own tables to a new record. It is called before the
	// invoices are loaded, and returns the ids of more invoices that the account needs. SaveState stores the data that
	// LoadState adds. Both may be nil.
	LoadState func(ctx context.Context, tx plugin.Tx, r *Record, scope Scope) (invoiceIDs []string, err error)
	SaveState func(ctx context.Context, tx plugin.Tx, r *Record) error
	// ProcessOutbox sends the requests in an account's outbox, for Tick, see tables.CustomerWorker; nil if there are none.
	ProcessOutbox func(ctx context.Context, customerID string) error
	// SetPaymentFields sets the fields that depend on how the customer pays, such as Next and UnpaidEndsAt.
	SetPaymentFields func(*Record, engine.AccountSubscription, *billing.Subscription)
	// ReceivedPayments returns the payments of invoices that are listed or printed, by invoice id. It is nil if the provider
	// records none.
	ReceivedPayments func(ctx context.Context, tx plugin.Tx, invoices []Invoice) (map[string][]billing.ReceivedPayment, error)
	// PaymentInstructions returns the instructions for paying an open invoice. It is nil if there are none.
	PaymentInstructions func(Invoice) []billing.Instruction
}

// outboxConcurrency is the number of outboxes that Tick processes concurrently.
const outboxConcurrency = 8

// IDPrefixes are the prefixes of new ids.
type IDPrefixes struct{ Customer, Subscription, Invoice, Event string }

// Ledger stores the billing of all customers. Its methods may be called concurrently.
type Ledger struct {
	Config
	keys      tables.Keys
	customers tables.CustomerWorker
}

// UsesTables implements plugin.TablesUser.
func (*Ledger) UsesTables() {}

// New returns a ledger. Its tables must exist.
func New(c Config) *Ledger {
	if c.NeededInvoicesSQL == "" {
		c.NeededInvoicesSQL = "1 = 0"
	}
	l := &Ledger{Config: c, keys: tables.Keys{Database: c.Database, Table: c.TablePrefix + "responses"}}
	l.customers = tables.CustomerWorker{
		Database: c.Database, Table: c.TablePrefix + "customers", Clock: c.Clock, EventPrefix: c.IDPrefixes.Event,
		Update: l.updateReportState, ProcessOutbox: c.ProcessOutbox, Concurrency: outboxConcurrency,
		PendingSQL: c.PendingCustomersSQL, PendingLimit: engine.MaxCheckDelay,
	}
	return l
}

// NewSubscriptionID returns an id for a new subscription.
func (l *Ledger) NewSubscriptionID() string { return l.IDPrefixes.Subscription + rand.Text() }

// Now returns the time of the clock in whole seconds.
func (l *Ledger) Now() time.Time { return l.Clock.Now().UTC().Truncate(time.Second) }

// PriceAmount returns the amount of one period at a price, in minor units.
func (l *Ledger) PriceAmount(ref catalogue.PriceRef) (int64, error) {
	amount, err := l.Catalogue.Price(ref)
	if err != nil {
		return 0, fault.Wrap(err, fault.Invalid, "There is no such price.")
	}
	return amount.Minor(), nil
}

// DoOnce calls fn once per key, see tables.DoOnce. It turns errors of the database into faults.
func DoOnce[T any](ctx context.Context, l *Ledger, name, key string, request any, fn func(plugin.Tx) (T, error)) (T, error) {
	value, err := tables.DoOnce(ctx, l.keys, name, key, request, fn)
	return value, AsFault(err)
}

// Read processes the due steps of a customer and then calls fn with the customer's record. The transaction may be
// repeated, so fn may be called several times.
func (l *Ledger) Read(ctx context.Context, customerID string, scope Scope, fn func(plugin.Tx, *Record) error) error {
	isDue := false
	err := l.Database.Read(ctx, func(tx plugin.Tx) error {
		r, err := l.LoadInTx(ctx, tx, customerID, scope)
		if err != nil {
			return err
		}
		if next := r.Account.NextStepAt(); !next.IsZero() && !next.After(r.Account.Now) {
			isDue = true
			return nil
		}
		return fn(tx, r)
	})
	if err != nil || !isDue {
		return AsFault(err)
	}
	if _, err := l.updateReportState(ctx, customerID, func(*tables.ReportState) {}); err != nil {
		return err
	}
	return AsFault(l.Database.Read(ctx, func(tx plugin.Tx) error {
		r, err := l.LoadInTx(ctx, tx, customerID, scope)
		if err != nil {
			return err
		}
		return fn(tx, r)
	}))
}

// UpdateInTx locks the record of a customer, processes the due steps, calls change, stores the changes, and returns the
// changed record.
func (l *Ledger) UpdateInTx(
	ctx context.Context, tx plugin.Tx, customerID string, scope Scope, change func(*Record) error,
) (*Record, error) {
	scope.lock = true
	r, err := l.LoadInTx(ctx, tx, customerID, scope)
	if err != nil {
		return nil, err
	}
	r.NeedsReport = r.Account.Advance(r.Account.Now)
	r.addInvoiceDetails()
	if err := change(r); err != nil {
		return nil, err
	}
	return r, r.save(ctx, tx)
}

// Update calls UpdateInTx in a new transaction. The transaction may be repeated, so change may be called several times.
func (l *Ledger) Update(
	ctx context.Context, customerID string, scope Scope, change func(*Record) error,
) (r *Record, err error) {
	err = l.Database.Write(ctx, func(tx plugin.Tx) error {
		r, err = l.UpdateInTx(ctx, tx, customerID, scope, change)
		return err
	})
	return r, AsFault(err)
}

// CustomerIDOfSubscription returns the id of a subscription's customer, or NotFound.
func (l *Ledger) CustomerIDOfSubscription(ctx context.Context, tx plugin.Tx, subscriptionID string) (id string, err error) {
	err = tx.Get(ctx, &id, l.sql("SELECT customer_id FROM @subscriptions WHERE id = ?"), subscriptionID)
	if fault.Is(err, fault.NotFound) {
		return "", errNoSubscription()
	}
	return id, err
}

// CustomerIDOfInvoice returns the id of an invoice's customer, or NotFound.
func (l *Ledger) CustomerIDOfInvoice(ctx context.Context, tx plugin.Tx, invoiceID string) (id string, err error) {
	err = tx.Get(ctx, &id, l.sql("SELECT customer_id FROM @invoices WHERE id = ?"), invoiceID)
	if fault.Is(err, fault.NotFound) {
		return "", errNoInvoice()
	}
	return id, err
}

// ReadCustomerIDOfSubscription calls CustomerIDOfSubscription in a new transaction.
func (l *Ledger) ReadCustomerIDOfSubscription(ctx context.Context, subscriptionID string) (id string, err error) {
	err = l.Database.Read(ctx, func(tx plugin.Tx) error {
		id, err = l.CustomerIDOfSubscription(ctx, tx, subscriptionID)
		return err
	})
	return id, AsFault(err)
}

// Retire implements payment.Fence.
func (l *Ledger) Retire(ctx context.Context, req payment.Retirement) error {
	return AsFault(l.keys.Retire(ctx, req, func(tx plugin.Tx) error {
		_, err := l.LoadInTx(ctx, tx, req.CustomerID, Scope{})
		return err
	}))
}

// Tick implements payment.Worker.
func (l *Ledger) Tick(ctx context.Context, report func(context.Context, payment.Event) error) (processed int, err error) {
	processed, err = l.customers.Tick(ctx, report)
	return processed, errors.Join(err, l.keys.DeleteExpired(ctx))
}

// updateReportState processes the due steps of a customer and applies change to the customer's ReportState. It returns
// the state with the invoices that Tick has to report.
func (l *Ledger) updateReportState(
	ctx context.Context, customerID string, change func(*tables.ReportState),
) (state tables.ReportState, err error) {
	r, err := l.Update(ctx, customerID, Scope{}, func(r *Record) error {
		change(&r.ReportState)
		if r.Changes == r.ReportedChanges {
			r.Customer.ChangedInvoices = nil
		}
		return nil
	})
	if err != nil {
		return state, err
	}
	state = r.ReportState
	state.InvoiceIDs = r.Customer.ChangedInvoices
	return state, nil
}

// sql replaces the @ of table names such as @customers in the statement by the prefix of the ledger's tables.
func (l *Ledger) sql(statement string) string {
	return strings.ReplaceAll(statement, "@", l.TablePrefix)
}

// AsFault returns err if it is nil or a fault. It turns any other error, such as an error of the database, into Internal.
func AsFault(err error) error {
	if err == nil || fault.CodeOf(err) != fault.Internal {
		return err
	}
	return fault.Wrap(err, fault.Internal, "The invoices can't be read")
}

func errNoCustomer() error { return fault.New(fault.NotFound, "There is no such customer.") }

func errNoSubscription() error { return fault.New(fault.NotFound, "There is no such subscription.") }

func errNoInvoice() error { return fault.New(fault.NotFound, "There is no such invoice.") }
