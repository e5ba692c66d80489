-- +goose Up

-- By the database's clock. Old responses are deleted. The default is for servers of earlier versions.
ALTER TABLE invoice_responses ADD COLUMN created_at bigint NOT NULL DEFAULT extract(epoch FROM now())::bigint;
CREATE INDEX invoice_responses_created_at ON invoice_responses (created_at);
