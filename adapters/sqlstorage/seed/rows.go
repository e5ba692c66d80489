package seed

// rows are what one table holds of every organisation.
type rows struct{ table, columns, values string }

var tables = []rows{
	{
		"organisations",
		"id, name, name_key, contact_email, phone, line1, line2, city, state, postal_code, country, currency, choice_product, " +
			"choice_interval, created_at, customer_id, billing_currency, trial_used_at, revision, dev_license_product, " +
			"dev_license_interval, dev_license_currency, dev_license_status, check_at",
		"'org_' || #, 'Practice ' || #, 'practice ' || #, 'user' || # || '@practice.example', '+61 2 9000 0000', '1 Long Road', '', " +
			"'Sydney', 'New South Wales', '2000', 'AU', 'AUD', 'standard', 'yearly', @before, 'cus_' || #, 'AUD', @before, 2, '', '', '', '', @soon",
	},
	{
		"users",
		"id, organisation_id, first_name, last_name, email, email_key, password_hash, verified_at, created_at",
		"'usr_' || #, 'org_' || #, 'Ann', 'King', 'user' || # || '@practice.example', 'user' || # || '@practice.example', '', @before, @before",
	},
	{
		"subscriptions",
		"id, organisation_id, ordinal, customer_id, status, product, billing_interval, currency, created_at, current_period_end, trial_end, " +
			"latest_invoice_id, payment_intent_id, payment_intent_status",
		"'sub_' || #, 'org_' || #, 0, 'cus_' || #, 'active', 'standard', 'yearly', 'AUD', @before, @soon, NULL, 'in_' || #, 'pi_' || #, 'succeeded'",
	},
	{
		"operations",
		"key, organisation_id, lane, fingerprint, created_at, settled_at, result",
		"'op_customer_' || #, 'org_' || #, 'customer', 'customer', @before, @before, 'cus_' || #",
	},
	{
		"operations",
		"key, organisation_id, lane, fingerprint, created_at, settled_at, result",
		"'op_subscription_' || #, 'org_' || #, 'subscription', 'subscribe', @before, @before, 'sub_' || #",
	},
	{"events", "id, kind, handled_at", "'evt_' || #, 'customer.subscription.created', @before"},
	{"sessions", "token, data, expiry", "'session_' || #, '', @soon"},
}
