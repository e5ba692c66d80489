package httpapi

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/ports/payment"
)

func TestConfig_DeclaresEmailsOnlyIfTheyAreSent(t *testing.T) {
	silent := toProviderWire(Options{}).Capabilities
	assert.NotContains(t, silent, "billing_emails")
	assert.NotContains(t, silent, "charge_reminders")
	assert.Contains(t, toProviderWire(Options{Site: Site{BillingEmails: true}}).Capabilities, "billing_emails")
	assert.Contains(t, toProviderWire(Options{Site: Site{ChargeReminders: true}}).Capabilities, "charge_reminders")
}

func TestConfig_DeclaresCapabilitiesOfServerAndProvider(t *testing.T) {
	withoutQuotes := payment.Capabilities{Missing: map[payment.Capability]string{payment.Quoting: "for the test"}}
	assert.Equal(t, []string{
		"account", "activity", "billing", "billing_details", "email_preferences", "invoices", "members", "open_payments", "password_reset", "privacy", "password_rules", "plan_choice",
		"retry_invoice", "transfer_reports", "two_step", "verification", "saved_methods", "change_now", "change_now_cheaper", "at_period_end",
	}, toProviderWire(Options{Capabilities: withoutQuotes}).Capabilities)
	redirect := payment.Capabilities{Entry: payment.EntryRedirect}
	assert.Contains(t, toProviderWire(Options{Capabilities: redirect}).Capabilities, "method_page")
}
