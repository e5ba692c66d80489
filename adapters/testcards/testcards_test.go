package testcards

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestNumbers_AreAcceptedAndDescribed(t *testing.T) {
	for _, n := range append(Cards(), Accounts()...) {
		cvc := "123"
		if len(n.Digits) == 15 {
			cvc = "1234"
		}
		m, cardErr := Entry{Number: n.Digits, ExpMonth: 12, ExpYear: 2034, CVC: cvc}.Parse(time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC))
		assert.Nil(t, cardErr, n.Digits)
		assert.Equal(t, n.Behaviour, m.Behaviour)
		assert.NotEmpty(t, n.Description)
	}
}
