package fakepayment

import "context"

// IsDocumentOverdue reports whether the document of the invoice states that the invoice is overdue.
func (p *Provider) IsDocumentOverdue(ctx context.Context, customerID, invoiceID string) (bool, error) {
	document, err := p.invoiceDocument(ctx, customerID, invoiceID)
	return document.IsOverdue, err
}
