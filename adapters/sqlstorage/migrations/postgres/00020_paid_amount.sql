-- +goose Up

-- The amount paid of the latest invoice, in minor units of latest_invoice_currency. NULL until the next sync.
ALTER TABLE subscriptions ADD COLUMN latest_invoice_paid bigint;
