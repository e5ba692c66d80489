package flows

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"io"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/app/apptest"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/payment"
)

func aud(t *testing.T, minor int64) money.Amount {
	t.Helper()
	amount, err := money.New(minor, "AUD")
	require.NoError(t, err)
	return amount
}

// A month of one invoice: credit pays a part, the bank returns the debit of the rest, a card pays it, a part is refunded,
// and a dispute about the other part is lost. List, document and email have the same movements. The web app shows and
// exports those of the list.
func TestMovements_ListDocumentAndEmailAgree(t *testing.T) {
	t.Parallel()
	env := newEnv(t)
	user := env.SignUp("ben")
	customerID := user.Customer().ID
	_, err := env.Provider.AddCredit(t.Context(), payment.CreditGrant{Key: "credit-of-a-goodwill", CustomerID: customerID, Amount: aud(t, 900)})
	require.NoError(t, err)
	invoiceID := user.SubscribeWithoutTrial(apptest.ReturningAccount, apptest.StandardMonthly).LatestInvoice.ID
	require.Len(t, env.receiveReturnEmails(11), 1)
	user.Pay(apptest.Visa)
	env.Advance(day)
	env.receiveEmails()
	env.Refund(invoiceID, 1000, "AUD")
	env.Advance(day)
	env.receiveEmails()
	env.Dispute(invoiceID)
	env.Advance(day)
	env.receiveEmails()
	env.CloseDispute(invoiceID, false)
	env.Advance(day)
	emails := env.receiveEmails()

	list, err := env.App.ListInvoices.Do(t.Context(), user.Identity, 1, "")
	require.NoError(t, err)
	inv := list.Invoices[0]
	var got []money.Amount
	var kinds []billing.MovementKind
	for _, m := range inv.Movements() {
		got, kinds = append(got, m.Amount), append(kinds, m.Kind)
		assert.False(t, m.At.IsZero(), "the date of %s", m.Kind)
	}
	assert.Equal(t, []billing.MovementKind{
		billing.MovementCreditUsed, billing.MovementPayment, billing.MovementBankReturn, billing.MovementPayment,
		billing.MovementRefund, billing.MovementCreditNote, billing.MovementDispute, billing.MovementDisputeLost,
	}, kinds)
	var want []money.Amount
	for _, minor := range []int64{-900, -3000, 3000, -3000, 1000, -1000, 2000, -2000} {
		want = append(want, aud(t, minor))
	}
	assert.Equal(t, want, got)
	assert.Equal(t, inv.Movements(), env.readStoredMovements(user, inv), "the stored invoice with its payments")

	require.Len(t, emails, 1)
	document, err := env.App.DownloadInvoicePDF.Do(t.Context(), user.Identity, invoiceID)
	require.NoError(t, err)
	pdf := pdfContent(t, document.PDF)
	for _, m := range inv.Movements() {
		texts := []string{m.Label(), inv.TimeZone.Date(m.At), amountText(m.Amount)}
		if m.Method != nil {
			texts = append(texts, m.Method.DisplayName())
		}
		assert.True(t, hasLine(emails[0], texts), "the email has a line with %q:\n%s", texts, emails[0])
		assert.Contains(t, pdf, encodeText(m.Title()+" on "+inv.TimeZone.Date(m.At)))
		assert.Contains(t, pdf, encodeText(amountText(m.Amount)))
	}
}

// readStoredMovements returns the movements of the stored copy of the invoice, to which the payments are added that are
// not stored.
func (env *testEnv) readStoredMovements(user *apptest.User, inv billing.Invoice) []billing.Movement {
	env.t.Helper()
	stored := env.readStoredInvoice(user, inv.ID)
	stored.ReceivedPayments = inv.ReceivedPayments
	return stored.Movements()
}

// amountText formats the amount with two decimals, as documents and emails do if an amount has cents.
func amountText(a money.Amount) string {
	if a.Minor() < 0 {
		negated, _ := money.New(-a.Minor(), a.Currency().Code) // the currency is known
		return "−" + negated.FormatWithSymbol()
	}
	return a.FormatWithSymbol()
}

// hasLine reports whether a line contains all texts.
func hasLine(text string, parts []string) bool {
	return slices.ContainsFunc(strings.Split(strings.ReplaceAll(text, "\u00a0", " "), "\n"), func(line string) bool {
		return !slices.ContainsFunc(parts, func(part string) bool {
			return !strings.Contains(line, strings.ReplaceAll(part, "\u00a0", " "))
		})
	})
}

// pdfContent returns the text of the first page of a document as package invoicepdf encodes it.
func pdfContent(t *testing.T, pdf []byte) string {
	t.Helper()
	_, compressed, found := bytes.Cut(pdf, []byte("stream\n"))
	require.True(t, found)
	reader, err := zlib.NewReader(bytes.NewReader(compressed))
	require.NoError(t, err)
	content, err := io.ReadAll(reader)
	require.NoError(t, err)
	return string(content)
}

// encodeText returns the text in UTF-16, as a document contains it.
func encodeText(text string) string {
	var encoded []byte
	for _, unit := range utf16.Encode([]rune(text)) {
		encoded = binary.BigEndian.AppendUint16(encoded, unit)
	}
	return string(encoded)
}
