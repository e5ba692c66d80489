package billing_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/domain/billing"
)

func TestDecideCardCleanup_DetachesFailedAndDuplicateCards(t *testing.T) {
	savedCards := func(ids ...string) (cards []billing.PaymentMethod) {
		for _, id := range ids {
			cards = append(cards, billing.PaymentMethod{ID: id, Card: billing.Card{Fingerprint: id}})
		}
		return cards
	}
	// Cards with the same first letter are identical.
	identicalCards := func(ids ...string) []billing.PaymentMethod {
		cards := savedCards(ids...)
		for i := range cards {
			cards[i].Card.Fingerprint = cards[i].ID[:1]
		}
		return cards
	}
	accountWithPayment := func(status billing.Status, payment billing.IntentStatus) billing.Account {
		return billing.Account{Subscriptions: []billing.Subscription{{
			ID: "sub", Status: status,
			LatestInvoice: &billing.Invoice{ID: "in", Payment: &billing.Intent{ID: "pi", Status: payment}},
		}}}
	}
	accountWithTrial := func(setup billing.IntentStatus) billing.Account {
		return billing.Account{Subscriptions: []billing.Subscription{{
			ID: "sub", Status: billing.Trialing, LatestInvoice: &billing.Invoice{ID: "in"},
			PendingSetup: &billing.Intent{ID: "seti", Status: setup},
		}}}
	}
	newRecord := func(id, former string) billing.UnconfirmedCard {
		return billing.UnconfirmedCard{ID: id, FormerDefault: former}
	}
	declinedAccount := accountWithPayment(billing.Incomplete, billing.RequiresPaymentMethod)
	paidAccount := accountWithPayment(billing.Active, billing.Succeeded)

	tests := []struct {
		name      string
		account   billing.Account
		defaultID string
		cards     []billing.PaymentMethod
		records   []billing.UnconfirmedCard
		want      billing.CardCleanup
	}{
		{"no new or identical cards", paidAccount, "a", savedCards("b", "a"), nil, billing.CardCleanup{}},
		{"a declined card that replaced another card", declinedAccount, "b", savedCards("b", "a"),
			[]billing.UnconfirmedCard{newRecord("b", "a")},
			billing.CardCleanup{Default: "a", Detach: []string{"b"}}},
		{"a declined card that is the only one", declinedAccount, "b", savedCards("b"),
			[]billing.UnconfirmedCard{newRecord("b", "")},
			billing.CardCleanup{Detach: []string{"b"}}},
		{"a declined card after the former default was deleted", declinedAccount, "b", savedCards("b", "c"),
			[]billing.UnconfirmedCard{newRecord("b", "a")},
			billing.CardCleanup{Detach: []string{"b"}}},
		{"two declined cards in a row", declinedAccount, "c", savedCards("c", "b", "a"),
			[]billing.UnconfirmedCard{newRecord("b", "a"), newRecord("c", "b")},
			billing.CardCleanup{Default: "a", Detach: []string{"b", "c"}}},
		{"a declined card after another default was chosen", declinedAccount, "a", savedCards("b", "a"),
			[]billing.UnconfirmedCard{newRecord("b", "c")},
			billing.CardCleanup{Detach: []string{"b"}}},
		{"a first payment that expired", accountWithPayment(billing.IncompleteExpired, billing.IntentCanceled), "b",
			savedCards("b", "a"),
			[]billing.UnconfirmedCard{newRecord("b", "a")}, billing.CardCleanup{Default: "a", Detach: []string{"b"}}},
		{"a payment that needs authentication", accountWithPayment(billing.Incomplete, billing.RequiresAction), "b",
			identicalCards("b", "a2", "a1"),
			[]billing.UnconfirmedCard{newRecord("b", "a1")}, billing.CardCleanup{}},
		{"a payment that is processing", accountWithPayment(billing.Incomplete, billing.Processing), "b", savedCards("b", "a"),
			[]billing.UnconfirmedCard{newRecord("b", "a")}, billing.CardCleanup{}},
		{"a payment that succeeded", paidAccount, "b", savedCards("b", "a"),
			[]billing.UnconfirmedCard{newRecord("b", "a")},
			billing.CardCleanup{DeleteRecords: []string{"b"}}},
		{"a new card that was detached already", accountWithPayment(billing.Incomplete, billing.RequiresAction), "a",
			savedCards("a"), []billing.UnconfirmedCard{newRecord("b", "a")}, billing.CardCleanup{DeleteRecords: []string{"b"}}},
		{"no subscription was created", billing.Account{}, "b", savedCards("b", "a"),
			[]billing.UnconfirmedCard{newRecord("b", "a")},
			billing.CardCleanup{DeleteRecords: []string{"b"}}},
		{"a trial with a card that needs authentication", accountWithTrial(billing.RequiresAction), "b", savedCards("b", "a"),
			[]billing.UnconfirmedCard{newRecord("b", "a")},
			billing.CardCleanup{}},
		{"a trial with a new card that failed", accountWithTrial(billing.RequiresPaymentMethod), "b", savedCards("b", "a"),
			[]billing.UnconfirmedCard{newRecord("b", "a")},
			billing.CardCleanup{Default: "a", Detach: []string{"b"}}},
		{"a trial whose only card failed", accountWithTrial(billing.RequiresPaymentMethod), "b", savedCards("b"),
			[]billing.UnconfirmedCard{newRecord("b", "")},
			billing.CardCleanup{DeleteRecords: []string{"b"}}},
		{"a trial with a failed card that a later card replaced", accountWithTrial(billing.RequiresPaymentMethod), "c",
			savedCards("c", "b", "a"), []billing.UnconfirmedCard{newRecord("b", "a")}, billing.CardCleanup{DeleteRecords: []string{"b"}}},
		{"an overdue subscription", accountWithPayment(billing.PastDue, billing.RequiresPaymentMethod), "b",
			savedCards("b", "a"),
			[]billing.UnconfirmedCard{newRecord("b", "a")}, billing.CardCleanup{DeleteRecords: []string{"b"}}},
		{"the same card twice", paidAccount, "a2", identicalCards("a2", "b1", "a1"), nil,
			billing.CardCleanup{Detach: []string{"a1"}}},
		{"the same card three times, and the oldest is the default", paidAccount, "a1", identicalCards("a3", "a2", "a1"), nil,
			billing.CardCleanup{Default: "a3", Detach: []string{"a2", "a1"}}},
		{"the same card twice, and the newer was declined", declinedAccount, "a2", identicalCards("a2", "a1"),
			[]billing.UnconfirmedCard{newRecord("a2", "a1")},
			billing.CardCleanup{Default: "a1", Detach: []string{"a2"}}},
		{"the same card twice, and another card was declined", declinedAccount, "b1", identicalCards("b1", "a2", "a1"),
			[]billing.UnconfirmedCard{newRecord("b1", "a1")},
			billing.CardCleanup{Default: "a2", Detach: []string{"b1", "a1"}}},
		{"unknown fingerprints", paidAccount, "", []billing.PaymentMethod{{ID: "b"}, {ID: "a"}}, nil, billing.CardCleanup{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var c billing.Customer
			if tt.defaultID != "" {
				c.Default = &billing.PaymentMethod{ID: tt.defaultID}
			}
			assert.Equal(t, tt.want, billing.DecideCardCleanup(&tt.account, c, tt.cards, tt.records))
		})
	}
}
