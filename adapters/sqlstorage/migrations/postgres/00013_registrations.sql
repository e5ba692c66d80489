-- +goose Up

-- The index finds expired registrations, which were never verified.
CREATE INDEX users_unverified ON users (created_at) WHERE verified_at IS NULL;

-- The index finds the operations of a registration that is deleted.
CREATE INDEX operations_of_organisation ON operations (organisation_id);

-- The user that the email is for, so that it is deleted with the registration. NULL in emails that an older
-- server stored.
ALTER TABLE letters ADD COLUMN user_id text COLLATE "C";

CREATE INDEX letters_of_user ON letters (user_id) WHERE user_id IS NOT NULL;

-- Requests for emails to addresses that may be unknown. A request is not claimed before due_at.
CREATE TABLE email_requests (
    id           bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kind         text        NOT NULL,
    email        text        NOT NULL,
    requested_at timestamptz NOT NULL,
    due_at       timestamptz NOT NULL
);

CREATE INDEX email_requests_in_order ON email_requests (requested_at, id, due_at);
