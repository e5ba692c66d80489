-- +goose Up

-- Further amounts of an invoice. NULL until the next sync.
ALTER TABLE invoices ADD COLUMN credit_used bigint;
ALTER TABLE invoices ADD COLUMN refunded bigint;
ALTER TABLE invoices ADD COLUMN credited bigint;

-- The same amounts of the latest invoice, in minor units of latest_invoice_currency. NULL until the next sync.
ALTER TABLE subscriptions ADD COLUMN latest_invoice_total bigint;
ALTER TABLE subscriptions ADD COLUMN latest_invoice_credit_used bigint;
