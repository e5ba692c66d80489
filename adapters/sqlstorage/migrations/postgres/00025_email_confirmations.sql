-- +goose Up

-- The tokens of links that confirm a billing email. organisations.billing_details has the unconfirmed address;
-- addresses that were stored earlier count as confirmed.
CREATE TABLE email_confirmations (
    token_hash      text        COLLATE "C" NOT NULL PRIMARY KEY,
    organisation_id text        COLLATE "C" NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
    email           text        COLLATE "C" NOT NULL,
    expires_at      timestamptz NOT NULL
);

CREATE INDEX email_confirmations_of_organisation ON email_confirmations (organisation_id);
CREATE INDEX email_confirmations_by_expiry ON email_confirmations (expires_at);
