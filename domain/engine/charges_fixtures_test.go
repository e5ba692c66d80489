package engine_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/engine"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
)

// newChargedAccount returns an account with Terms.ChargeTerms. It has a saved card, which is the default method, and a
// saved bank account. The keys of its attempts are key_1, key_2 and so on.
func newChargedAccount() *engine.Account {
	a := newAccount()
	n := 0
	a.NewKey = func() string { n++; return fmt.Sprintf("key_%d", n) }
	a.Terms = engine.Terms{NumberPrefix: "INV-", ChargeTerms: &engine.ChargeTerms{
		Minimum: engine.MinimumCharge, SettlementTime: 3 * day, OffSession: true,
		RetryLimits:  map[billing.MethodKind]int{billing.BankDebitMethod: 1},
		KeyRetention: day, LongestRequest: time.Minute,
	}}
	a.Methods = []engine.AccountMethod{savedCard, savedDebit}
	a.DefaultMethod = savedCard.Ref
	return a
}

var (
	savedCard = engine.AccountMethod{
		Ref: "card", Details: billing.PaymentMethod{Card: billing.Card{Brand: "visa", Last4: "4242"}},
	}
	savedDebit = engine.AccountMethod{
		Ref: "debit", Details: billing.PaymentMethod{Kind: billing.BankDebitMethod, Label: "Bank account •••• 6819"},
	}
	pageSource  = engine.Source{ReturnTo: "https://example.com/pay"}
	tokenSource = engine.Source{Token: "token"}
	cardSource  = engine.Source{Method: savedCard.Ref}
	debitSource = engine.Source{Method: savedDebit.Ref}
)

// buy purchases the subscription with the id sub.
func buy(trialDays int, src engine.Source) func(*engine.Account) error {
	return func(a *engine.Account) error {
		return a.Subscribe(engine.SubscribeRequest{ID: "sub", Price: monthly, Amount: prices[monthly], TrialDays: trialDays,
			Source: src})
	}
}

// sendAndReportState sends all due attempts and reports the state for each.
func sendAndReportState(state engine.AttemptState) func(*engine.Account) error {
	return sendAndReport(engine.PaymentReport{State: state})
}

// sendAndReport sends all due attempts and makes the report for each. It reports nothing if the state is "".
func sendAndReport(r engine.PaymentReport) func(*engine.Account) error {
	return func(a *engine.Account) error {
		attempts := a.Outbox().Send
		if len(attempts) == 0 {
			return fault.New(fault.Internal, "Nothing is due.")
		}
		for _, attempt := range attempts {
			if _, err := a.Claim(attempt.Key, a.Now, a.Now.Add(15*time.Second)); err != nil {
				return err
			}
			if r.State == "" {
				continue
			}
			if err := a.ReportPayment(attempt.Key, r); err != nil {
				return err
			}
		}
		return nil
	}
}

// sendWithoutReport sends all due attempts and leaves their outcome unknown.
func sendWithoutReport(a *engine.Account) error { return sendAndReport(engine.PaymentReport{})(a) }

// reportState reports the state of the latest attempt.
func reportState(state engine.AttemptState) func(*engine.Account) error {
	return reportPayment(engine.PaymentReport{State: state})
}

// reportPayment makes the report for the latest attempt.
func reportPayment(r engine.PaymentReport) func(*engine.Account) error {
	return func(a *engine.Account) error { return a.ReportPayment(a.Attempts[0].Key, r) }
}

// reportFirstState reports the state of the first attempt.
func reportFirstState(state engine.AttemptState) func(*engine.Account) error {
	return reportFirstPayment(engine.PaymentReport{State: state})
}

// reportFirstPayment makes the report for the first attempt.
func reportFirstPayment(r engine.PaymentReport) func(*engine.Account) error {
	return func(a *engine.Account) error { return a.ReportPayment("key_1", r) }
}

func advance(d time.Duration) func(*engine.Account) error {
	return func(a *engine.Account) error { a.Advance(a.Now.Add(d)); return nil }
}

func advanceToRenewal(a *engine.Account) error { a.Advance(a.Subscriptions[0].PeriodEnd); return nil }

// pay pays the newest invoice.
func pay(src engine.Source) func(*engine.Account) error {
	return func(a *engine.Account) error {
		inv := a.Invoices[0]
		s, err := a.Subscription(inv.Subscription)
		if err != nil {
			return err
		}
		return a.Pay(engine.PayRequest{
			Invoice: inv.ID, Amount: inv.AmountRemaining(), SubscriptionEnded: s.Status.Ended(), Source: src,
		})
	}
}

// changeNow changes the price of the newest subscription.
func changeNow(price catalogue.PriceRef, src engine.Source) func(*engine.Account) error {
	return func(a *engine.Account) error {
		s := a.Subscriptions[0]
		return a.ChangePrice(engine.ChangeRequest{
			Subscription: s.ID, From: s.Price, To: price, Amount: prices[price],
			EndTrial: s.Status == billing.Trialing, Source: src,
		})
	}
}

func makeDebitDefault(a *engine.Account) error { return a.SetDefaultMethod(savedDebit.Ref) }

func requestRefund(minor int64) func(*engine.Account) error {
	return func(a *engine.Account) error {
		_, err := a.RequestRefund("refund", a.Invoices[0].ID, aud(minor))
		return err
	}
}

func aud(minor int64) money.Amount {
	amount, err := money.New(minor, "AUD")
	if err != nil {
		panic(err)
	}
	return amount
}

// describeCharges returns the text of describe with the hold and the states of the attempts, oldest first.
func describeCharges(a *engine.Account) string {
	text := describe(a)
	if a.Hold != "" {
		text += fmt.Sprintf("; %s %d", a.Hold, a.HeldCredit)
	}
	var states []string
	for _, attempt := range slices.Backward(a.Attempts) {
		states = append(states, string(attempt.State))
	}
	return text + "; " + strings.Join(states, "/")
}

// afterPurchase returns the commands of a paid purchase, followed by more commands.
func afterPurchase(more ...func(*engine.Account) error) commands {
	return slices.Concat(commands{buy(0, cardSource), sendAndReportState(engine.AttemptPaid)}, more)
}

// afterRenewal returns the commands of a paid purchase and of its renewal, which is invoiced, followed by more commands.
func afterRenewal(more ...func(*engine.Account) error) commands {
	return afterPurchase(slices.Concat(commands{advanceToRenewal}, more)...)
}

func addCredit(minor int64) func(*engine.Account) error {
	return func(a *engine.Account) error { return a.AddCredit(aud(minor)) }
}

func cancelPendingChange(a *engine.Account) error {
	return a.CancelPendingChange("sub", a.Invoices[0].ID)
}

func reportRefund(state engine.AttemptState) func(*engine.Account) error {
	return func(a *engine.Account) error {
		return a.ReportRefund(engine.RefundReport{Key: "refund", Ref: "re_1", Amount: 900, State: state})
	}
}

// chargeCases contains the commands of each case and the expected description of the account after them.
type chargeCases map[string]struct {
	steps commands
	want  string
}

// run applies the commands of each case to a new charged account.
func (cases chargeCases) run(t *testing.T) {
	t.Helper()
	for name, tt := range cases {
		t.Run(name, func(t *testing.T) {
			a := newChargedAccount()
			for _, command := range tt.steps {
				require.NoError(t, command(a))
			}
			assert.Equal(t, tt.want, describeCharges(a))
		})
	}
}
