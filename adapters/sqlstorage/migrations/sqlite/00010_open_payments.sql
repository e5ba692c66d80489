-- +goose Up

-- Details of the latest invoice, the next action of the customer (JSON without secrets), a plan change that
-- waits for its payment, and the key of the request that last changed the subscription. In existing rows they
-- are NULL until the next sync.
ALTER TABLE subscriptions ADD COLUMN latest_invoice_status TEXT;
ALTER TABLE subscriptions ADD COLUMN latest_invoice_amount INTEGER;
ALTER TABLE subscriptions ADD COLUMN latest_invoice_currency TEXT;
ALTER TABLE subscriptions ADD COLUMN latest_invoice_created_at TIMESTAMP;
ALTER TABLE subscriptions ADD COLUMN latest_invoice_next_attempt_at TIMESTAMP;
ALTER TABLE subscriptions ADD COLUMN next_action TEXT;
ALTER TABLE subscriptions ADD COLUMN pending_product TEXT;
ALTER TABLE subscriptions ADD COLUMN pending_interval TEXT;
ALTER TABLE subscriptions ADD COLUMN pending_currency TEXT;
ALTER TABLE subscriptions ADD COLUMN pending_invoice_id TEXT;
ALTER TABLE subscriptions ADD COLUMN pending_amount INTEGER;
ALTER TABLE subscriptions ADD COLUMN pending_amount_currency TEXT;
ALTER TABLE subscriptions ADD COLUMN pending_expires_at TIMESTAMP;
ALTER TABLE subscriptions ADD COLUMN changed_by TEXT;
