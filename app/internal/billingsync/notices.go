package billingsync

import (
	"context"
	"log/slog"
	"slices"

	"github.com/vc-admin/diy/app/internal/timeouts"
	"github.com/vc-admin/diy/app/internal/trialcards"
	"github.com/vc-admin/diy/app/notices"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/storage"
)

// Composer composes the notices that become due when our copy changes. The zero value composes no notices.
type Composer struct {
	Store    store
	Provider noticeProvider
	Clock    clock.Clock
	Log      *slog.Logger
	Writer   *notices.Writer // nil to compose no notices
	// TrialCards records the default card when a notice about the trial needs it.
	TrialCards trialcards.Guard
}

// noticeProvider reads what emails contain besides subscriptions and invoices.
type noticeProvider interface {
	Customer(ctx context.Context, id string) (billing.Customer, error)
	ReturnedPayments(ctx context.Context, customerID string) ([]billing.ReturnedPayment, error)
}

// composeForReport returns the notices that become due when the subscriptions and the invoices of a report are stored, and
// the emails about them. It returns errOutdatedReport if the organisation was changed after org was read.
func (c Composer) composeForReport(
	ctx context.Context, org account.Organisation, subs []billing.Subscription, invoices knownInvoices,
) ([]storage.QueuedNotice, error) {
	return c.compose(ctx, org, subs, func(storedOrg *account.Organisation, facts *notices.Facts) ([]billing.DueNotice, error) {
		return c.findDueNotices(ctx, storedOrg, facts, invoices)
	})
}

// composeForResponse is like composeForReport for the response to a request, which contains no list of invoices. It returns
// only notices about changes; the next refresh adds the notices that depend on the state of the account.
func (c Composer) composeForResponse(
	ctx context.Context, org account.Organisation, subs []billing.Subscription,
) ([]storage.QueuedNotice, error) {
	return c.compose(ctx, org, subs, func(storedOrg *account.Organisation, facts *notices.Facts) ([]billing.DueNotice, error) {
		return c.findChangeNotices(ctx, storedOrg, facts)
	})
}

// compose returns the notices that find returns, and the emails about them. find also adds to facts the data that the emails
// need.
func (c Composer) compose(
	ctx context.Context, org account.Organisation, subs []billing.Subscription,
	find func(storedOrg *account.Organisation, facts *notices.Facts) ([]billing.DueNotice, error),
) ([]storage.QueuedNotice, error) {
	if c.Writer == nil {
		return nil, nil
	}
	storedOrg, err := c.Store.Organisation(ctx, org.ID) // read again: the request may have called billing.Account.RecordEnd
	if err != nil {
		return nil, err
	}
	if storedOrg.Billing.Revision != org.Billing.Revision {
		return nil, errOutdatedReport
	}
	facts := notices.Facts{Org: storedOrg, Now: c.Clock.Now()}
	facts.Org.Billing.Subscriptions = slices.Clone(storedOrg.Billing.Subscriptions)
	facts.Org.Billing.RecordSubscriptions(subs...)
	dueNotices, err := find(&storedOrg, &facts)
	if err != nil {
		return nil, err
	}
	var queuedNotices []storage.QueuedNotice
	for _, notice := range dueNotices {
		notice.Subscription.LatestInvoice = reportedInvoice(notice.Subscription, subs)
		queuedNotices = append(queuedNotices, storage.QueuedNotice{
			Notice: notice.Notice, Emails: c.Writer.ComposeEmails(facts, notice), Delay: notice.Kind.Delay(),
		})
	}
	return queuedNotices, nil
}

// reportedInvoice returns the subscription's latest invoice from reportedSubs, because only a reported invoice contains
// the tax.
func reportedInvoice(sub billing.Subscription, reportedSubs []billing.Subscription) *billing.Invoice {
	if i := slices.IndexFunc(reportedSubs, func(r billing.Subscription) bool { return r.ID == sub.ID }); i >= 0 {
		return reportedSubs[i].LatestInvoice
	}
	return sub.LatestInvoice
}

// QueueCardReminder queues a notice if the card expires before the next charge. It reads the card from the provider only
// if the next charge is near.
func (c Composer) QueueCardReminder(ctx context.Context, org account.Organisation) error {
	now := c.Clock.Now()
	reminder := org.Billing.CardReminderAt()
	if c.Writer == nil || !c.Writer.SendsCardReminders() || reminder.IsZero() || now.Before(reminder) {
		return nil
	}
	customer, err := c.Provider.Customer(ctx, org.Billing.CustomerID)
	if err != nil {
		return err
	}
	notice := c.Writer.CardNotice(org.Billing, customer, now)
	if notice == nil {
		return nil
	}
	queuedNotice := storage.QueuedNotice{
		Notice: notice.Notice, Emails: c.Writer.ComposeEmails(notices.Facts{Org: org, Now: now, Customer: &customer}, *notice),
	}
	update := storage.BillingUpdate{Notices: []storage.QueuedNotice{queuedNotice}, EmailsDueAt: now}
	_, err = c.Store.UpdateBilling(ctx, org.ID, update,
		func(*account.Organisation) error { return nil })
	return err
}

// findDueNotices returns the notices that are due, and adds to facts the data that their emails need.
func (c Composer) findDueNotices(
	ctx context.Context, storedOrg *account.Organisation, facts *notices.Facts, invoices knownInvoices,
) ([]billing.DueNotice, error) {
	facts.Invoices = invoices.merge()
	earlierNotices, err := c.Store.Notices(ctx, storedOrg.ID)
	if err != nil {
		return nil, err
	}
	dueNotices := billing.DueNotices(billing.Copy{Account: &storedOrg.Billing, Invoices: invoices.stored},
		billing.Copy{Account: &facts.Org.Billing, Invoices: facts.Invoices}, earlierNotices, c.Clock.Now())
	if needsCustomer(dueNotices) {
		customer, err := c.Provider.Customer(ctx, storedOrg.Billing.CustomerID)
		if err != nil {
			return nil, err
		}
		facts.Customer = &customer
		if customer.Default != nil {
			c.TrialCards.Record(ctx, facts.Org, *customer.Default)
		}
		dueNotices = slices.DeleteFunc(dueNotices, func(d billing.DueNotice) bool { return !c.Writer.IsNeeded(*facts, d) })
	}
	if slices.ContainsFunc(dueNotices, func(d billing.DueNotice) bool { return notices.NeedsReturnedPayments(d.Kind) }) {
		facts.ReturnedPayments, err = c.Provider.ReturnedPayments(ctx, storedOrg.Billing.CustomerID)
	}
	return dueNotices, err
}

// findChangeNotices returns the notices about the changes that a request has made, and adds to facts the data that their
// emails need.
func (c Composer) findChangeNotices(
	ctx context.Context, storedOrg *account.Organisation, facts *notices.Facts,
) ([]billing.DueNotice, error) {
	dueNotices := billing.ChangeNotices(&storedOrg.Billing, &facts.Org.Billing)
	if len(dueNotices) == 0 {
		return nil, nil
	}
	if needsCustomer(dueNotices) {
		facts.Customer = c.customerIfReachable(ctx, *storedOrg)
	}
	for i := range dueNotices {
		if dueNotices[i].Kind == billing.OrderEnded {
			dueNotices[i].Cause = billing.CauseRequested // no other request ends an order
		}
	}
	var err error
	facts.Invoices, err = c.Store.Invoices(ctx, storedOrg.ID)
	return dueNotices, err
}

func needsCustomer(dueNotices []billing.DueNotice) bool {
	return slices.ContainsFunc(dueNotices, func(d billing.DueNotice) bool { return notices.NeedsCustomer(d.Kind) })
}

// customerIfReachable returns the customer, or nil if the provider does not respond. Without the customer, emails about a
// change state that credit will be deducted, but not how much.
func (c Composer) customerIfReachable(ctx context.Context, org account.Organisation) *billing.Customer {
	ctx, cancel := context.WithTimeout(ctx, timeouts.Display)
	defer cancel()
	customer, err := c.Provider.Customer(ctx, org.Billing.CustomerID)
	if err != nil {
		c.Log.WarnContext(ctx, "the emails about a change do not contain the credit", "org", org.ID, "error", err)
		return nil
	}
	return &customer
}
