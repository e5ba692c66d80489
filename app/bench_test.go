package app

import (
	"bytes"
	"context"
	"log/slog"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/mock"

	"github.com/vc-admin/diy/app/internal/mocks"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/payment"
)

// bench is the use cases on mocks: whatever a test does not expect must not be called, and whatever
// it expects must be.
type bench struct {
	*UseCases
	store     *mocks.Store
	provider  *mocks.Provider
	sessions  *mocks.Sessions
	passwords *mocks.Passwords
	sender    *mocks.Sender
	log       *bytes.Buffer
	attempted []billing.PaymentAttempt // payment attempts so far, of whatever invoice and card
	noted     []billing.NewCard        // what is noted of new cards
	saved     []billing.PaymentMethod  // the customer's cards
	cardsErr  error                    // the error of listing them
}

func newBench(t *testing.T) *bench {
	t.Helper()
	b := &bench{
		store: mocks.NewStore(t), provider: mocks.NewProvider(t), sessions: mocks.NewSessions(t),
		passwords: mocks.NewPasswords(t), sender: mocks.NewSender(t), log: &bytes.Buffer{},
	}
	b.UseCases = New(Ports{
		Catalogue: catalogue.Default(), Store: b.store, Provider: b.provider, Sessions: b.sessions,
		Passwords: b.passwords, Mail: b.sender, Clock: fixedClock(noon),
		Log: slog.New(slog.NewTextHandler(b.log, nil)), PublicURL: "https://diy.example", Brand: "Vision",
	})
	b.provider.EXPECT().Capabilities().Return(payment.Capabilities{}).Maybe()
	b.store.EXPECT().BeginPaymentAttempt(mock.Anything, mock.Anything, mock.Anything).RunAndReturn(b.beginPaymentAttempt).Maybe()
	b.saved = []billing.PaymentMethod{visa}
	b.store.EXPECT().NewCards(mock.Anything, "org_1").
		RunAndReturn(func(context.Context, string) ([]billing.NewCard, error) { return b.noted, nil }).Maybe()
	b.provider.EXPECT().Cards(mock.Anything, "cus_1").
		RunAndReturn(func(context.Context, string) ([]billing.PaymentMethod, error) { return b.saved, b.cardsErr }).Maybe()
	return b
}

// beginPaymentAttempt stores attempts as a database does.
func (b *bench) beginPaymentAttempt(_ context.Context, a billing.PaymentAttempt, check func([]billing.PaymentAttempt) error) error {
	err := check(b.attempted)
	if err == nil {
		b.attempted = append(b.attempted, a)
	}
	return err
}

var (
	who     = identity.Identity{UserID: "usr_1", OrganisationID: "org_1"}
	monthly = catalogue.PriceRef{Product: "standard", Interval: catalogue.Monthly, Currency: "AUD"}
	yearly  = catalogue.PriceRef{Product: "professional", Interval: catalogue.Yearly, Currency: "AUD"}

	choseMonthly = PriceChoice{PriceID: "standard_monthly", Interval: "monthly", Currency: "aud"}
	choseYearly  = PriceChoice{PriceID: "professional_yearly", Interval: "yearly", Currency: "AUD"}

	visa     = billing.PaymentMethod{ID: "pm_visa", Card: billing.Card{Brand: "visa", Last4: "4242"}}
	customer = billing.Customer{ID: "cus_1", OrganisationID: "org_1", Default: &visa}

	// errRefused is a definite no: nothing happened, and nothing will.
	errRefused = fault.New(fault.Conflict, "refused")
)

// newcomer is an organisation that has a customer and has bought nothing yet.
func newcomer() account.Organisation {
	return account.Organisation{ID: "org_1", Name: "Practice", Billing: billing.Account{CustomerID: "cus_1"}}
}

// subscriber is an organisation with subscriptions, the newest first.
func subscriber(subs ...billing.Subscription) account.Organisation {
	o := newcomer()
	o.Billing.Record(subs...)
	return o
}

func subscription(id string, status billing.Status, price catalogue.PriceRef) billing.Subscription {
	return billing.Subscription{ID: id, CustomerID: "cus_1", Status: status, Price: price, CreatedAt: noon.Add(-time.Hour)}
}

// aud is an amount in AUD.
func aud(minor int64) money.Amount {
	amount, err := money.New(minor, "AUD")
	if err != nil {
		panic(err) // the currency is known
	}
	return amount
}

// readsOrganisation answers one read.
func (b *bench) readsOrganisation(org account.Organisation, err error) {
	b.store.EXPECT().Organisation(mock.Anything, "org_1").Return(org, err).Once()
}

// updatesOrganisation lets one update change the organisation that is stored, unless it fails.
func (b *bench) updatesOrganisation(stored *account.Organisation, err error) {
	b.store.EXPECT().UpdateOrganisation(mock.Anything, "org_1", mock.Anything).RunAndReturn(
		func(_ context.Context, _ string, fn func(*account.Organisation) error) (account.Organisation, error) {
			if err != nil {
				return account.Organisation{}, err
			}
			if err := fn(stored); err != nil {
				return account.Organisation{}, err
			}
			return apart(*stored), nil
		}).Once()
}

// apart is a copy that shares nothing, as a database returns it.
func apart(org account.Organisation) account.Organisation {
	org.Billing.Subscriptions = slices.Clone(org.Billing.Subscriptions)
	return org
}

// listsSubscriptions answers one question for the truth.
func (b *bench) listsSubscriptions(err error, subs ...billing.Subscription) {
	b.provider.EXPECT().ListSubscriptions(mock.Anything, "cus_1").Return(subs, err).Once()
}

// syncs lets our copy be brought up to date once: it was stored and becomes what subs tell.
func (b *bench) syncs(stored *account.Organisation, subs ...billing.Subscription) {
	b.readsOrganisation(*stored, nil)
	b.listsSubscriptions(nil, subs...)
	b.updatesOrganisation(stored, nil)
}

// endsWithin matches a ctx that ends within the time.
func endsWithin(limit time.Duration) func(context.Context) bool {
	return func(ctx context.Context) bool {
		deadline, limited := ctx.Deadline()
		return limited && time.Until(deadline) <= limit
	}
}
