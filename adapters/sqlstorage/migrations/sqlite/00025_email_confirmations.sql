-- +goose Up

-- The tokens of links that confirm a billing email. organisations.billing_details has the unconfirmed address;
-- addresses that were stored earlier count as confirmed.
CREATE TABLE email_confirmations (
    token_hash      TEXT      NOT NULL PRIMARY KEY,
    organisation_id TEXT      NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
    email           TEXT      NOT NULL,
    expires_at      TIMESTAMP NOT NULL
);

CREATE INDEX email_confirmations_of_organisation ON email_confirmations (organisation_id);
CREATE INDEX email_confirmations_by_expiry ON email_confirmations (expires_at);
