package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// Both sign as Stripe does, and other programs know where to: it must not move with a setting.
func TestEventsArriveAtOnePlace(t *testing.T) {
	for name, profile := range paymentProfiles {
		page := profile.page(config{Payments: name})
		assert.Equal(t, name, page.Name)
		assert.Equal(t, "stripe", page.WebhookPath, name)
		assert.Equal(t, "Stripe-Signature", page.SignatureHeader, name)
	}
}
