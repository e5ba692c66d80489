package app_test

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/app/operators"
	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/storage"
)

// financeRequest returns a request of olga with the key, and its context.
func (f *invoiceFixture) financeRequest(key string) (context.Context, operators.ActionRequest) {
	ctx := operators.WithOperator(f.t.Context(), operators.Operator{Name: "olga", Roles: []operators.Role{operators.Finance}})
	return ctx, operators.ActionRequest{
		OrganisationID: f.caller.OrganisationID, Key: key, Reason: audit.CustomerRequest, Ticket: "T-1",
	}
}

// transferEntries returns the number of entries of olga about recorded payments.
func (f *invoiceFixture) transferEntries() int {
	f.t.Helper()
	entries, err := f.Store.AuditEntries(f.t.Context(),
		storage.AuditQuery{OrganisationID: f.caller.OrganisationID, Kind: audit.OperatorRecordedPayment, Limit: 100})
	require.NoError(f.t, err)
	return len(entries)
}

// transfers returns the number of recorded transfers.
func (f *invoiceFixture) transfers() int {
	f.t.Helper()
	transfers, err := f.invoices.ListTransfers(f.t.Context(), "")
	require.NoError(f.t, err)
	return len(transfers)
}

var payPart = operators.TransferRequest{Kind: operators.PaymentTransfer, Number: "1", Amount: "10", Reference: "ANZ 1"}

// failingAuditStore can't add entries outside of other changes.
type failingAuditStore struct{ storage.Store }

func (failingAuditStore) AddAuditEntries(context.Context, ...audit.Entry) error {
	return errors.New("the connection is lost")
}

func TestRecordTransfer_StoresTheTransferAndItsEntryTogether(t *testing.T) {
	f := newInvoiceFixture(t)
	server := f.NewApp(failingAuditStore{f.Store}, f.invoices.Provider)
	ctx, req := f.financeRequest("form1")
	_, _ = server.RecordTransfer.Do(ctx, req, payPart)
	assert.Equal(t, f.transfers(), f.transferEntries(), "a transfer without its entry, or an entry without its transfer")

	canceled, stop := context.WithCancel(ctx)
	stop()
	req.Key = "form2"
	_, _ = f.RecordTransfer.Do(canceled, req, operators.TransferRequest{
		Kind: operators.PaymentTransfer, Number: "1", Amount: "1", Reference: "ANZ 2",
	})
	assert.Equal(t, f.transfers(), f.transferEntries())
}

func TestRecordTransfer_ActsOnceForAKeyAndReadsTheInvoice(t *testing.T) {
	f := newInvoiceFixture(t)
	ctx, req := f.financeRequest("form1")
	preview, err := f.RecordTransfer.Preview(ctx, req.OrganisationID, "1", operators.PaymentTransfer)
	require.NoError(t, err)
	assert.Equal(t, "AUD 39.00", preview.Amount.FormatWithCode())
	req.Figures = preview.Digest()
	var wg sync.WaitGroup
	for range 3 { // a repeat has the figures that the first request has changed
		wg.Go(func() {
			_, err := f.RecordTransfer.Do(ctx, req, payPart)
			assert.NoError(t, err)
		})
	}
	wg.Wait()
	_, err = f.RecordTransfer.Do(ctx, req, payPart)
	require.NoError(t, err)
	assert.Equal(t, []int{1, 1}, []int{f.transfers(), f.transferEntries()})
	copies, err := f.Store.Invoices(ctx, req.OrganisationID)
	require.NoError(t, err)
	assert.Equal(t, "AUD 10.00", copies[0].AmountPaid.FormatWithCode())

	_, req2 := f.financeRequest("form2")
	result, err := f.RecordTransfer.Do(ctx, req2, payPart)
	require.NoError(t, err)
	assert.True(t, result.AlreadyRecorded)
	assert.Equal(t, 1, f.transferEntries(), "the same transfer in another form")

	req2.Figures = preview.Digest()
	_, err = f.RecordTransfer.Do(ctx, req2, operators.TransferRequest{
		Kind: operators.PaymentTransfer, Number: "1", Amount: "29", Reference: "ANZ 2",
	})
	require.ErrorIs(t, err, operators.ErrFiguresChanged)
	assert.Equal(t, 1, f.transfers())
}

func TestChangesOfInvoices_ShowTheirEffectWithoutMakingIt(t *testing.T) {
	f := newInvoiceFixture(t)
	ctx, req := f.financeRequest("form1")
	figure := func(e operators.Effect, label string) string {
		for _, figure := range e.Figures {
			if figure.Label == label {
				return figure.Value
			}
		}
		return ""
	}
	effect, err := f.VoidInvoice.Preview(ctx, req.OrganisationID, "1")
	require.NoError(t, err)
	assert.Equal(t, []string{"AUD 39.00", "AUD 0.00", "canceled"},
		[]string{figure(effect, "Owed"), figure(effect, "Owed afterwards"), figure(effect, "Plan afterwards")})
	assert.Contains(t, effect.Warning, "The plan ends at once.")
	_, err = f.RecordTransfer.Do(ctx, req, payPart)
	require.NoError(t, err, "the invoice is still open")

	effect, err = f.ReverseTransfer.Preview(ctx, req.OrganisationID, "ANZ 1")
	require.NoError(t, err)
	assert.Equal(t, []string{"AUD 29.00", "AUD 39.00"}, []string{figure(effect, "Owed"), figure(effect, "Owed afterwards")})
	_, err = f.RecordTransfer.Preview(ctx, req.OrganisationID, "1", operators.PayoutTransfer)
	assert.True(t, fault.Is(err, fault.Conflict), "no credit")
	_, err = f.ReverseTransfer.Preview(ctx, req.OrganisationID, "unknown")
	assert.True(t, fault.Is(err, fault.NotFound))

	other := f.SignUpOnServer(f.UseCases, "other")
	_, err = f.VoidInvoice.Preview(ctx, other.OrganisationID, "1")
	assert.True(t, fault.Is(err, fault.NotFound), "an invoice of another organisation")
	req.OrganisationID, req.Key = other.OrganisationID, "form2"
	_, err = f.VoidInvoice.Do(ctx, req, "1")
	assert.True(t, fault.Is(err, fault.NotFound))

	_, req = f.financeRequest("form3")
	_, err = f.ReverseTransfer.Do(ctx, req, "ANZ 1")
	require.NoError(t, err)
	_, err = f.ReverseTransfer.Preview(ctx, req.OrganisationID, "ANZ 1")
	assert.True(t, fault.Is(err, fault.NotFound), "it was reversed")
}

func TestTransfers_AreUnsupportedWithoutInvoices(t *testing.T) {
	f := newFixture(t)
	ctx := operators.WithOperator(t.Context(), operators.CommandLine("olga"))
	_, err := f.ShowTransfers.Do(ctx, payment.InvoiceFilter{})
	assert.True(t, fault.Is(err, fault.Unsupported))
	_, err = f.RecordTransfer.Do(ctx, operators.ActionRequest{}, payPart)
	assert.True(t, fault.Is(err, fault.Unsupported))
	_, err = f.VoidInvoice.Preview(ctx, "org_1", "1")
	assert.True(t, fault.Is(err, fault.Unsupported))
}
