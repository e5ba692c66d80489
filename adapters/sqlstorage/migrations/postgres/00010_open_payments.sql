-- +goose Up

-- What is open on a subscription: its latest invoice in more detail, what the customer has to do next
-- (JSON without any secret), a plan change that waits for its payment, and the key of the request
-- that last changed it. Rows that are there already get these at their next check.
ALTER TABLE subscriptions ADD COLUMN latest_invoice_status TEXT;
ALTER TABLE subscriptions ADD COLUMN latest_invoice_amount BIGINT;
ALTER TABLE subscriptions ADD COLUMN latest_invoice_currency TEXT;
ALTER TABLE subscriptions ADD COLUMN latest_invoice_created_at TIMESTAMPTZ;
ALTER TABLE subscriptions ADD COLUMN latest_invoice_next_attempt_at TIMESTAMPTZ;
ALTER TABLE subscriptions ADD COLUMN next_action TEXT;
ALTER TABLE subscriptions ADD COLUMN pending_product TEXT;
ALTER TABLE subscriptions ADD COLUMN pending_interval TEXT;
ALTER TABLE subscriptions ADD COLUMN pending_currency TEXT;
ALTER TABLE subscriptions ADD COLUMN pending_invoice_id TEXT;
ALTER TABLE subscriptions ADD COLUMN pending_amount BIGINT;
ALTER TABLE subscriptions ADD COLUMN pending_amount_currency TEXT;
ALTER TABLE subscriptions ADD COLUMN pending_expires_at TIMESTAMPTZ;
ALTER TABLE subscriptions ADD COLUMN changed_by TEXT;
