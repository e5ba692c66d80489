package operators

import (
	"context"
	"log/slog"

	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/storage"
)

// ChangeInvoice makes a change of a provider that collects by invoice, such as the record of a bank transfer, and stores who made
// it and why.
type ChangeInvoice struct {
	store storage.AuditLog
	log   *slog.Logger
}

// InvoiceChange is a change of an invoice, or of the invoices of an organisation.
type InvoiceChange struct {
	Kind audit.Kind
	// Apply makes the change in a transaction of the provider.
	Apply func(context.Context) (ChangedInvoice, error)
}

// ChangedInvoice is the result of an InvoiceChange.
type ChangedInvoice struct {
	OrganisationID string
	InvoiceID      string     // "" for a change of an organisation
	Data           audit.Data // of the entry
	IsRepeat       bool       // the change was made before, so there is no entry
}

// Do makes the change and adds its entry. It changes nothing without a reason and a ticket. The OrganisationID of the request is
// not used.
func (u *ChangeInvoice) Do(ctx context.Context, req ActionRequest, change InvoiceChange) error {
	if err := Require(ctx, MayChangeInvoices); err != nil {
		return err
	}
	req, err := req.check()
	if err != nil {
		return err
	}
	changed, err := change.Apply(ctx)
	if err != nil || changed.IsRepeat {
		return err
	}
	req.OrganisationID = changed.OrganisationID
	entry := req.entry(ctx, change.Kind)
	entry.Subject, entry.Data = audit.Code(changed.InvoiceID), mergeData(entry.Data, changed.Data)
	if err := u.store.AddAuditEntries(context.WithoutCancel(ctx), *entry); err != nil {
		return err
	}
	u.log.InfoContext(ctx, "action of an operator", "org", req.OrganisationID, "kind", change.Kind, "key", req.Key)
	return nil
}

// TransferData returns the data of an entry about a transfer of the amount.
func TransferData(number string, amount money.Amount) audit.Data {
	return audit.Data{"number": audit.Code(number), "amount": billing.AuditAmount(amount)}
}
