package engine_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"github.com/vc-admin/diy/domain/engine"
)

func TestSetAmount_WithdrawsUnspentCredit(t *testing.T) {
	for name, tt := range map[string]struct {
		initial            engine.ReturnedPayment
		amount             int64
		credit, usedCredit int64
		want               engine.ReturnedPayment // without the time
		wantChange         int64
	}{
		"all credit": {
			amount:     81600,
			credit:     77700,
			want:       engine.ReturnedPayment{Amount: 81600, Withdrawn: 77700},
			wantChange: -77700,
		},
		"a part of the credit": {
			amount:     2000,
			credit:     77700,
			want:       engine.ReturnedPayment{Amount: 2000, Withdrawn: 2000},
			wantChange: -2000,
		},
		"spent credit": {
			amount: 81600, credit: 3600, usedCredit: 74100,
			want: engine.ReturnedPayment{Amount: 81600, Withdrawn: 3600, Spent: 74100}, wantChange: -3600,
		},
		"more credit spent than returned": {
			amount:     1000,
			usedCredit: 74100,
			want:       engine.ReturnedPayment{Amount: 1000, Spent: 1000},
		},
		"no credit":                             {amount: 2000, want: engine.ReturnedPayment{Amount: 2000}},
		"an amount too small to charge is owed": {amount: 2000, credit: -30, want: engine.ReturnedPayment{Amount: 2000}},
		"a second part": {
			initial: engine.ReturnedPayment{Amount: 1000, Withdrawn: 400, Spent: 100}, amount: 3000, credit: 500,
			usedCredit: 1000,
			want:       engine.ReturnedPayment{Amount: 3000, Withdrawn: 900, Spent: 1100}, wantChange: -500,
		},
		"no change of the amount": {
			initial: engine.ReturnedPayment{Amount: 1000, Withdrawn: 400}, amount: 1000, credit: 500,
			want: engine.ReturnedPayment{Amount: 1000, Withdrawn: 400},
		},
		"a dispute is won": {
			initial: engine.ReturnedPayment{Amount: 81600, Withdrawn: 3600, Spent: 74100}, amount: 0, credit: 10,
			wantChange: 3600,
		},
		"the new amount is below the previous amount": {
			initial: engine.ReturnedPayment{Amount: 3500, Withdrawn: 500, Spent: 2800}, amount: 3000, wantChange: 500,
			want: engine.ReturnedPayment{Amount: 3000, Spent: 2800},
		},
		"the new amount is below the withdrawn amount": {
			initial: engine.ReturnedPayment{Amount: 3500, Withdrawn: 3000, Spent: 500}, amount: 400, wantChange: 3000,
			want: engine.ReturnedPayment{Amount: 400, Spent: 400},
		},
	} {
		t.Run(name, func(t *testing.T) {
			if tt.amount != tt.initial.Amount {
				tt.want.At = start
			}
			result, change := tt.initial.SetAmount(tt.amount, tt.credit, tt.usedCredit, start)
			assert.Equal(t, tt.want, result)
			assert.Equal(t, tt.wantChange, change)
		})
	}
}

func TestWithdrawOwed_WithdrawsOnlyFromEarlierCredit(t *testing.T) {
	r := engine.ReturnedPayment{Amount: 1000, Withdrawn: 100, Spent: 300, At: start}
	for name, tt := range map[string]struct {
		credit    int64
		since     time.Time
		withdrawn int64
		spent     int64
	}{
		"less credit than is owed":  {200, start.Add(-day), 200, 300},
		"credit that reduces Spent": {800, start.Add(-day), 800, 100},
		"more credit than is owed":  {5000, start, 900, 0},
		"a period after the return": {200, start.Add(day), 0, 300},
		"negative credit":           {-30, start, 0, 300},
	} {
		t.Run(name, func(t *testing.T) {
			result, withdrawn := r.WithdrawOwed(tt.credit, tt.since)
			assert.Equal(t, tt.withdrawn, withdrawn)
			assert.Equal(t, engine.ReturnedPayment{Amount: 1000, Withdrawn: 100 + withdrawn, Spent: tt.spent, At: start},
				result)
		})
	}
}

// A payment of 100 is returned. An open invoice has used 10 of the credit, a paid one 5, and the rest is unspent.
func TestWithdrawReturned_MatchesAnInvoiceThatIsVoidedBeforeTheReturn(t *testing.T) {
	for _, unspent := range []int64{0, 20, 85, 95, 200} {
		voidedLater, change := engine.ReturnedPayment{}.SetAmount(100, unspent, 10+5, start)
		voidedLater, withdrawn := voidedLater.WithdrawReturned(10, start)

		voidedBefore, changeBefore := engine.ReturnedPayment{}.SetAmount(100, unspent+10, 5, start)

		assert.Equal(t, voidedBefore, voidedLater, "%d unspent", unspent)
		assert.Equal(t, changeBefore, change-withdrawn, "%d unspent", unspent)
	}
}

func TestWithdrawReturned_KeepsSpentForAnInvoiceAfterTheReturn(t *testing.T) {
	r := engine.ReturnedPayment{Amount: 1000, Spent: 300, At: start}

	result, withdrawn := r.WithdrawReturned(200, start.Add(day))

	assert.Zero(t, withdrawn)
	assert.Equal(t, r, result)
}

func TestCreditUsedSince_IncludesLaterAndOpenInvoices(t *testing.T) {
	daysLater := func(days int) time.Time { return start.Add(time.Duration(days) * day) }
	paidInvoice := engine.InvoiceCredit{Invoice: "paid", Created: daysLater(5), Used: 7}
	for name, tt := range map[string]struct {
		others []engine.InvoiceCredit
		want   int64
	}{
		"no other invoice": {nil, 0},
		"later invoices": {[]engine.InvoiceCredit{{Created: daysLater(6), Used: 100},
			{Created: daysLater(5), Used: 10}}, 110},
		"an earlier invoice":              {[]engine.InvoiceCredit{{Created: daysLater(1), Used: 100}}, 0},
		"an earlier invoice that is open": {[]engine.InvoiceCredit{{Created: daysLater(1), Used: 100, Open: true}}, 100},
		"a later invoice that became credit": {[]engine.InvoiceCredit{{Created: daysLater(6), Used: -500},
			{Created: daysLater(7), Used: 100}}, 100},
		"credit that Spent includes": {[]engine.InvoiceCredit{{Created: daysLater(6), Used: 100, Spent: 80}}, 27},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, tt.want, engine.CreditUsedSince("paid", append(tt.others, paidInvoice)))
		})
	}
	paidInvoice.Spent = 60
	assert.EqualValues(t, 40,
		engine.CreditUsedSince("paid",
			[]engine.InvoiceCredit{paidInvoice, {Created: daysLater(1), Used: 500}, {Created: daysLater(6), Used: 100}}))
}

// TestReturnedPayment_CreditStaysCoveredByPayments performs random payments, returns and invoices of a customer and
// asserts after each that the credit is at most the amount that was paid and not returned.
func TestReturnedPayment_CreditStaysCoveredByPayments(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := creditHistory{now: start}
		amount := rapid.Int64Range(1, 1000)
		t.Repeat(map[string]func(*rapid.T){
			"":        c.assertInvariants,
			"pay":     func(t *rapid.T) { c.pay(amount.Draw(t, "amount")) },
			"invoice": func(t *rapid.T) { c.issueInvoice(amount.Draw(t, "amount")) },
			"settle":  func(t *rapid.T) { c.settleInvoice(t, rapid.Bool().Draw(t, "void")) },
			"return":  func(t *rapid.T) { c.setReturnedAmount(t) },
		})
	})
}

// creditHistory simulates a customer. All payments become credit.
type creditHistory struct {
	now              time.Time
	credit           int64
	payments         []int64
	returnedPayments []engine.ReturnedPayment // of the payments
	invoiceCredits   []engine.InvoiceCredit   // the payments, and after them the invoices that use credit
}

func (c *creditHistory) nextID() string { return time.Duration(len(c.invoiceCredits)).String() }

func (c *creditHistory) pay(amount int64) {
	if len(c.invoiceCredits) > len(c.payments) {
		return // the payments come first
	}
	c.now = c.now.Add(time.Second)
	c.invoiceCredits = append(c.invoiceCredits, engine.InvoiceCredit{Invoice: c.nextID(), Created: c.now})
	c.payments, c.returnedPayments = append(c.payments, amount), append(c.returnedPayments, engine.ReturnedPayment{})
	c.credit += amount
}

func (c *creditHistory) issueInvoice(amount int64) {
	c.now = c.now.Add(time.Second)
	used := min(amount, c.credit)
	c.credit -= used
	c.invoiceCredits = append(c.invoiceCredits,
		engine.InvoiceCredit{Invoice: c.nextID(), Created: c.now, Used: used, Open: true})
}

// settleInvoice pays or voids a random open invoice.
func (c *creditHistory) settleInvoice(t *rapid.T, void bool) {
	if len(c.invoiceCredits) == 0 {
		return
	}
	inv := &c.invoiceCredits[rapid.IntRange(0, len(c.invoiceCredits)-1).Draw(t, "invoice")]
	if !inv.Open {
		return
	}
	if inv.Open = false; !void {
		return
	}
	credit := inv.Used
	for i := range c.returnedPayments {
		var withdrawn int64
		c.returnedPayments[i], withdrawn = c.returnedPayments[i].WithdrawReturned(credit, inv.Created)
		c.invoiceCredits[i].Spent = c.returnedPayments[i].Spent
		credit -= withdrawn
	}
	c.credit += credit
	inv.Used = 0
}

// setReturnedAmount changes the returned amount of a random payment.
func (c *creditHistory) setReturnedAmount(t *rapid.T) {
	if len(c.payments) == 0 {
		return
	}
	c.now = c.now.Add(time.Second)
	i := rapid.IntRange(0, len(c.payments)-1).Draw(t, "payment")
	amount := rapid.Int64Range(0, c.payments[i]).Draw(t, "returned")
	usedCredit := engine.CreditUsedSince(c.invoiceCredits[i].Invoice, c.invoiceCredits)
	result, change := c.returnedPayments[i].SetAmount(amount, c.credit, usedCredit, c.now)
	c.returnedPayments[i], c.invoiceCredits[i].Spent = result, result.Spent
	c.credit += change
}

func (c *creditHistory) assertInvariants(t *rapid.T) {
	limit := int64(0)
	for i, paid := range c.payments {
		r := c.returnedPayments[i]
		limit += paid - r.Amount
		assert.True(t, r.Withdrawn >= 0 && r.Spent >= 0 && r.Withdrawn+r.Spent <= r.Amount, r)
	}
	assert.GreaterOrEqual(t, c.credit, int64(0))
	assert.LessOrEqual(t, c.credit, limit, "the credit is at most the paid and not returned amount")
}
