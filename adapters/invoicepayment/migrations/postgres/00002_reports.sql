-- +goose Up

-- The number of changes that the worker has to report to the application, and of those that it has reported.
ALTER TABLE invoice_customers ADD COLUMN changes bigint NOT NULL DEFAULT 0;
ALTER TABLE invoice_customers ADD COLUMN reported bigint NOT NULL DEFAULT 0;
-- The number of failures of the worker since its last success.
ALTER TABLE invoice_customers ADD COLUMN failures bigint NOT NULL DEFAULT 0;
UPDATE invoice_customers SET changes = 1 WHERE next_at = 1;
