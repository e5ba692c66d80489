-- +goose Up

-- Further amounts of an invoice. NULL until the next sync.
ALTER TABLE invoices ADD COLUMN credit_used BIGINT;
ALTER TABLE invoices ADD COLUMN refunded BIGINT;
ALTER TABLE invoices ADD COLUMN credited BIGINT;

-- The same amounts of the latest invoice, in minor units of latest_invoice_currency. NULL until the next sync.
ALTER TABLE subscriptions ADD COLUMN latest_invoice_total BIGINT;
ALTER TABLE subscriptions ADD COLUMN latest_invoice_credit_used BIGINT;
