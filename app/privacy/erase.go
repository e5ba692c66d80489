package privacy

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/vc-admin/diy/app/emails"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/mail"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/storage"
)

// eraser erases organisations.
type eraser struct{ Ports }

// check returns the Conflict that states why the organisation can't be erased now, or nil.
func (e eraser) check(state storage.ErasureState) error {
	if state.Organisation.Billing.CustomerID != "" && !e.Provider.Capabilities().Has(payment.Erasure) {
		return payment.Unsupported(payment.Erasure)
	}
	return state.Organisation.Billing.CheckErasure(state.Invoices, state.IsOperationPending)
}

// batchSize is the number of requests that are read at a time.
const batchSize = 20

// CarryOutErasures erases the organisations whose requests are due, and deletes invoices that need not be kept any longer.
type CarryOutErasures struct {
	eraser   eraser
	refusals sync.Map // the reason that was logged last, by the organisation
}

// Do returns the number of erased organisations. A request that is refused now, for example because a plan was started, stays
// stored and is tried again, and does not delay the others. After a crash, the next call erases what the provider or the
// store still has.
func (u *CarryOutErasures) Do(ctx context.Context) (count int, err error) {
	ctx = audit.WithDefaultActor(ctx, audit.System)
	e := u.eraser
	var errs []error
	for after := ""; ; {
		due, err := e.Store.DueErasures(ctx, e.Clock.Now(), after, batchSize)
		if err != nil {
			return count, errors.Join(append(errs, err)...)
		}
		for _, request := range due {
			isErased, err := u.eraseUnlessRefused(ctx, request)
			if isErased {
				count++
			}
			errs = append(errs, err)
		}
		if len(due) < batchSize {
			break
		}
		after = due[len(due)-1].OrganisationID
	}
	kept, err := e.Store.SweepKeptInvoices(ctx, e.Clock.Now())
	if kept > 0 {
		e.Log.InfoContext(ctx, "kept invoices deleted", "invoices", kept)
	}
	return count, errors.Join(append(errs, err)...)
}

// eraseUnlessRefused erases the organisation of the request. It logs a refusal when its reason is another one than in the previous
// run on this server.
func (u *CarryOutErasures) eraseUnlessRefused(ctx context.Context, request account.Erasure) (isErased bool, err error) {
	err = u.eraser.erase(ctx, request)
	if !fault.Is(err, fault.Conflict) && !fault.Is(err, fault.Unsupported) {
		u.refusals.Delete(request.OrganisationID)
		return err == nil, err
	}
	reason := fault.MessageOf(err)
	if logged, _ := u.refusals.Swap(request.OrganisationID, reason); logged != reason {
		u.eraser.Log.WarnContext(ctx, "erasure refused", "org", request.OrganisationID, "reason", reason)
	}
	return false, nil
}

// EraseNow erases the organisation without a delay. It is for erasures that a restored backup has undone.
func (u *CarryOutErasures) EraseNow(ctx context.Context, organisationID string) error {
	return u.eraser.erase(ctx, account.Erasure{OrganisationID: organisationID})
}

// erase erases the customer at the provider, then the organisation. Both can be repeated.
func (e eraser) erase(ctx context.Context, request account.Erasure) error {
	state, err := e.Store.ErasureState(ctx, request.OrganisationID)
	if err == nil {
		err = e.check(state)
	}
	if err != nil {
		return err
	}
	if err := e.eraseCustomer(ctx, &state); err != nil {
		return err
	}
	erasure := storage.OrganisationErasure{
		OrganisationID: request.OrganisationID, At: e.Clock.Now(), Invoices: e.keptInvoices(state), Entry: e.erasedEntry(request, state),
	}
	erasure.Emails, err = e.ownerEmails(ctx, state.Organisation, func(n emails.MemberNotice) mail.Message {
		return emails.ErasureDone(n, e.keptText(state))
	})
	if err != nil {
		return err
	}
	check := func(current storage.ErasureState) error {
		if !request.RequestedAt.IsZero() && current.Erasure.RequestedAt != request.RequestedAt {
			return fault.New(fault.Conflict, "The deletion was withdrawn.")
		}
		return e.check(current)
	}
	if err := e.Store.EraseOrganisation(ctx, erasure, check); err != nil {
		return err
	}
	e.Log.InfoContext(ctx, "organisation erased", "org", request.OrganisationID, "invoices", len(erasure.Invoices))
	return nil
}

// eraseCustomer erases the customer at the provider, after it has replaced the copies of the invoices in the state by
// those of the provider, which have addressees.
func (e eraser) eraseCustomer(ctx context.Context, state *storage.ErasureState) (err error) {
	customerID := state.Organisation.Billing.CustomerID
	if customerID == "" {
		return nil
	}
	if state.Invoices, err = e.readInvoices(ctx, customerID, state.Invoices); err != nil {
		return err
	}
	return fault.ReplaceNotFound(e.Provider.EraseCustomer(ctx, customerID), nil)
}

func (e eraser) erasedEntry(request account.Erasure, state storage.ErasureState) audit.Entry {
	entry := audit.Entry{OrganisationID: request.OrganisationID, Kind: audit.OrganisationErased, Data: audit.Data{}}
	if !request.RequestedAt.IsZero() {
		entry.Data["requested"] = request.RequestedAt.Format(time.DateOnly)
	}
	if until := billing.KeepInvoicesUntil(state.Invoices, e.KeepYears); !until.IsZero() {
		entry.Data["keep_until"] = until.Format(time.DateOnly)
	}
	return entry
}

// keptInvoices returns the organisation's invoices with their addressees. An invoice without one gets the billing details.
func (e eraser) keptInvoices(state storage.ErasureState) (kept []storage.KeptInvoice) {
	org, keepUntil := state.Organisation, billing.KeepInvoicesUntil(state.Invoices, e.KeepYears)
	details := org.BillingDetails()
	for _, invoice := range state.Invoices {
		addressee := invoice.Buyer
		if addressee == nil {
			addressee = details.Buyer(org.Name)
		}
		kept = append(kept, storage.KeptInvoice{
			OrganisationID: org.ID, CustomerID: org.Billing.CustomerID, Invoice: invoice.Summary(), Addressee: *addressee,
			KeepUntil: keepUntil,
		})
	}
	return kept
}

const invoicesPerPage = 100

// readInvoices returns the customer's invoices at the provider, which have addressees. It returns the copies if the
// customer was deleted there.
func (e eraser) readInvoices(ctx context.Context, customerID string, copies []billing.Invoice) (invoices []billing.Invoice, err error) {
	query := payment.InvoiceQuery{CustomerID: customerID, Limit: invoicesPerPage}
	for {
		list, err := e.Provider.ListInvoices(ctx, query)
		if fault.Is(err, fault.NotFound) {
			return copies, nil
		}
		if err != nil {
			return nil, err
		}
		invoices = append(invoices, list.Invoices...)
		if !list.HasMore || len(list.Invoices) == 0 {
			return invoices, nil
		}
		query.After = list.Invoices[len(list.Invoices)-1].ID
	}
}

// ownerEmails returns an email to each owner of the organisation.
func (e eraser) ownerEmails(
	ctx context.Context, org account.Organisation, write func(emails.MemberNotice) mail.Message,
) (messages []mail.Message, err error) {
	team, err := e.Store.Team(ctx, org.ID)
	if err != nil {
		return nil, err
	}
	for _, owner := range team.Owners() {
		message := write(emails.MemberNotice{
			Sender: e.Sender, FirstName: owner.FirstName, Organisation: org.Name, Link: e.PublicURL + accountPath,
			At: org.TimeZone().DateTime(e.Clock.Now()),
		})
		message.To = owner.Email
		messages = append(messages, message)
	}
	return messages, nil
}

const accountPath = "/vc-admin/diy/account"

// keptText returns the last day on which the invoices are kept, or "" without invoices.
func (e eraser) keptText(state storage.ErasureState) string {
	until := billing.KeepInvoicesUntil(state.Invoices, e.KeepYears)
	if until.IsZero() {
		return ""
	}
	return until.AddDate(0, 0, -1).Format("2 January 2006")
}
