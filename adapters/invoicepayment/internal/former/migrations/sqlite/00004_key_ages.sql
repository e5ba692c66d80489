-- +goose Up

-- By the database's clock. Old responses are deleted.
ALTER TABLE invoice_responses ADD COLUMN created_at BIGINT NOT NULL DEFAULT 0;
UPDATE invoice_responses SET created_at = unixepoch();
CREATE INDEX invoice_responses_created_at ON invoice_responses (created_at);
