-- +goose Up

-- Changes that the application has to learn of from the worker: it has, up to the reported one.
ALTER TABLE invoice_customers ADD COLUMN changes bigint NOT NULL DEFAULT 0;
ALTER TABLE invoice_customers ADD COLUMN reported bigint NOT NULL DEFAULT 0;
-- How often the worker has failed since it last succeeded.
ALTER TABLE invoice_customers ADD COLUMN failures bigint NOT NULL DEFAULT 0;
UPDATE invoice_customers SET changes = 1 WHERE next_at = 1;
