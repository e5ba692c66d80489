-- +goose Up

-- Registrations that were never verified, by age: they expire.
CREATE INDEX users_unverified ON users (created_at) WHERE verified_at IS NULL;

-- A registration is deleted with its operations.
CREATE INDEX operations_of_organisation ON operations (organisation_id);

-- Whom a letter is for, so that it goes with a registration that is deleted. NULL in letters that
-- were stored before, or by an older server.
ALTER TABLE letters ADD COLUMN user_id text COLLATE "C";

CREATE INDEX letters_of_user ON letters (user_id) WHERE user_id IS NOT NULL;

-- Requests for emails to addresses that may be unknown. A request is hidden until due_at.
CREATE TABLE email_requests (
    id           bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kind         text        NOT NULL,
    email        text        NOT NULL,
    requested_at timestamptz NOT NULL,
    due_at       timestamptz NOT NULL
);

CREATE INDEX email_requests_in_order ON email_requests (requested_at, id, due_at);
