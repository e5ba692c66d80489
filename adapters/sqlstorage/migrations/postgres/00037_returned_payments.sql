-- +goose Up

-- What was paid and went back to the customer's bank, so that it is owed again. NULL for nothing.
ALTER TABLE invoices ADD COLUMN returned bigint;
