package httpapi

import (
	"cmp"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/domain/timezone"
	"github.com/vc-admin/diy/ports/identity"
)

type invoiceDetailsWire struct {
	ID               string                `json:"id"`
	Number           string                `json:"number"`
	Status           billing.InvoiceStatus `json:"status"`
	CreatedAt        time.Time             `json:"createdAt"`
	DueAt            *time.Time            `json:"dueAt"`
	PaidAt           *time.Time            `json:"paidAt"`
	Description      string                `json:"description"`
	Lines            []lineWire            `json:"lines"`
	Tax              moneyWire             `json:"tax"`
	Total            moneyWire             `json:"total"`
	AmountDue        moneyWire             `json:"amountDue"`
	AmountPaid       moneyWire             `json:"amountPaid"`
	CreditUsed       moneyWire             `json:"creditUsed"`
	CarriedForward   moneyWire             `json:"carriedForward"`
	Refunded         moneyWire             `json:"refunded"`
	Credited         moneyWire             `json:"credited"`
	Returned         moneyWire             `json:"returned"`
	FailedRefunds    moneyWire             `json:"failedRefunds"`
	Remaining        moneyWire             `json:"remaining"`
	Seller           *sellerWire           `json:"seller,omitempty"`
	TaxName          string                `json:"taxName,omitempty"`
	Buyer            *buyerWire            `json:"billedTo,omitempty"`
	ReceivedPayments []receivedPaymentWire `json:"received"`
	Movements        []movementWire        `json:"movements"`
	IsProcessing     bool                  `json:"processing,omitempty"`
	HasPDF           bool                  `json:"hasPdf"`
	TimeZone         timezone.Zone         `json:"timeZone,omitempty"`
}

func toInvoiceDetailsWire(inv billing.Invoice) invoiceDetailsWire {
	amount := func(a money.Amount) moneyWire { return toMoneyWire(a, inv.Total.Currency().Code) }
	return invoiceDetailsWire{
		ID: inv.ID, Number: inv.Number, Status: inv.Status,
		CreatedAt: inv.CreatedAt.UTC(), DueAt: timestamp(inv.DueAt), PaidAt: timestamp(inv.PaidAt),
		Description: inv.Description(), Lines: mapEach(inv.Lines, toLineWire),
		Tax: amount(inv.Tax), Total: amount(inv.Total), AmountDue: amount(inv.AmountDue), AmountPaid: amount(inv.AmountPaid),
		CreditUsed: amount(inv.CreditUsed), CarriedForward: amount(inv.CarriedForward), Refunded: amount(inv.Refunded), Credited: amount(inv.Credited),
		Returned: amount(inv.Returned), FailedRefunds: amount(inv.FailedRefunds), Remaining: amount(inv.AmountRemaining()),
		Seller: toSellerWire(inv.Seller), TaxName: inv.TaxName,
		Buyer: toBuyerWire(inv.Buyer), ReceivedPayments: mapEach(inv.ReceivedPayments, toReceivedPaymentWire),
		Movements:    mapEach(inv.Movements(), toMovementWire),
		IsProcessing: inv.Payment != nil && inv.Payment.Status == billing.Processing, HasPDF: inv.HasPDF, TimeZone: inv.TimeZone,
	}
}

type sellerWire struct {
	Name  string   `json:"name"`
	Lines []string `json:"lines"`
}

func toSellerWire(s *billing.Seller) *sellerWire {
	if s == nil {
		return nil
	}
	return &sellerWire{Name: s.Name, Lines: append([]string{}, s.Lines...)}
}

type buyerWire struct {
	Name          string      `json:"name"`
	Address       addressWire `json:"address"`
	TaxID         *taxIDWire  `json:"taxId"`
	PurchaseOrder string      `json:"purchaseOrder"`
}

func toBuyerWire(b *billing.Buyer) *buyerWire {
	if b == nil {
		return nil
	}
	wire := buyerWire{Name: b.Name, PurchaseOrder: b.PurchaseOrder, Address: addressWire{
		Line1: b.Line1, Line2: b.Line2, City: b.City, State: b.State, PostalCode: b.PostalCode, Country: b.Country,
	}}
	if b.TaxID != "" {
		wire.TaxID = &taxIDWire{Type: b.TaxIDType, Value: b.TaxID}
	}
	return &wire
}

// receivedPaymentWire is money that was received for an invoice.
type receivedPaymentWire struct {
	Amount moneyWire   `json:"amount"`
	Excess moneyWire   `json:"excess"`
	At     time.Time   `json:"at"`
	Method *methodWire `json:"method,omitempty"`
}

func toReceivedPaymentWire(p billing.ReceivedPayment) receivedPaymentWire {
	currency := p.Amount.Currency().Code
	wire := receivedPaymentWire{Amount: toMoneyWire(p.Amount, currency), Excess: toMoneyWire(p.Excess, currency), At: p.At.UTC()}
	if p.Method != nil {
		wire.Method = new(toMethodWire(*p.Method))
	}
	return wire
}

// movementWire is a change of the amount that is still to be paid for an invoice.
type movementWire struct {
	Kind   billing.MovementKind `json:"kind"`
	Label  string               `json:"label"`
	Amount moneyWire            `json:"amount"`
	At     *time.Time           `json:"at"`
	Method *methodWire          `json:"method,omitempty"`
	// CreditNote is the number of a credit note with a document.
	CreditNote string `json:"creditNote,omitempty"`
}

func toMovementWire(m billing.Movement) movementWire {
	wire := movementWire{
		Kind: m.Kind, Label: m.Label(), Amount: toMoneyWire(m.Amount, m.Amount.Currency().Code), At: timestamp(m.At),
		CreditNote: m.CreditNote,
	}
	if m.Method != nil {
		wire.Method = new(toMethodWire(*m.Method))
	}
	return wire
}

func (a *api) listInvoices(w http.ResponseWriter, r *http.Request, caller identity.Identity) error {
	req, err := decodeOptionalBody[struct {
		Limit         int    `json:"limit"`
		StartingAfter string `json:"startingAfter"`
	}](r)
	if err != nil {
		return err
	}
	page, err := a.UseCases.ListInvoices.Do(r.Context(), caller, req.Limit, req.StartingAfter)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, struct {
		listWire[invoiceDetailsWire]
		HasMore bool `json:"hasMore"`
	}{listWire[invoiceDetailsWire]{Data: mapEach(page.Invoices, toInvoiceDetailsWire)}, page.HasMore})
}

// serveInvoicePDF serves an invoice for download.
func (a *api) serveInvoicePDF(w http.ResponseWriter, r *http.Request, caller identity.Identity) error {
	id := chi.URLParam(r, "id")
	invoicePDF, err := a.UseCases.DownloadInvoicePDF.Do(r.Context(), caller, id)
	if err != nil {
		return err
	}
	writePDF(w, "invoice-"+cmp.Or(invoicePDF.Number, id), invoicePDF.PDF)
	return nil
}

// serveCreditNotePDF serves a credit note of an invoice for download.
func (a *api) serveCreditNotePDF(w http.ResponseWriter, r *http.Request, caller identity.Identity) error {
	number := chi.URLParam(r, "number")
	creditNote, err := a.UseCases.DownloadCreditNotePDF.Do(r.Context(), caller, chi.URLParam(r, "id"), number)
	if err != nil {
		return err
	}
	writePDF(w, "credit-note-"+number, creditNote.PDF)
	return nil
}

// writePDF writes a document for download. It removes unsafe characters from the name.
func writePDF(w http.ResponseWriter, name string, pdf []byte) {
	w.Header().Set("Content-Type", "application/pdf")
	w.Header().Set("Content-Disposition", `attachment; filename="`+safeFileName(name)+`.pdf"`)
	w.Header().Set("Content-Length", strconv.Itoa(len(pdf)))
	_, _ = w.Write(pdf) // fails if the client has disconnected
}

// reportTransfer records that the customer reported to have paid an invoice by bank transfer.
func (a *api) reportTransfer(w http.ResponseWriter, r *http.Request, caller identity.Identity) error {
	if err := a.UseCases.ReportTransfer.Do(r.Context(), caller, chi.URLParam(r, "id")); err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, emptyObject{})
}

// safeFileName removes the characters that are unsafe in a file name.
func safeFileName(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9', r == '_', r == '-':
			return r
		}
		return -1
	}, name)
}
