-- +goose Up

-- The amount of payments that were returned to the customer's bank, which is owed again. NULL if there are none.
ALTER TABLE invoices ADD COLUMN returned INTEGER;
