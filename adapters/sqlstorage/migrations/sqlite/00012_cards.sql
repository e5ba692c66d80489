-- +goose Up

-- Attempts of the server to charge an invoice with a card. card is a hash that identifies the card.
CREATE TABLE payment_attempts (
    key             TEXT      NOT NULL PRIMARY KEY,
    organisation_id TEXT      NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
    invoice_id      TEXT      NOT NULL,
    card            TEXT      NOT NULL,
    attempted_at    TIMESTAMP NOT NULL,
    hard_decline    BOOLEAN   NOT NULL
);

CREATE INDEX payment_attempts_of_card ON payment_attempts (organisation_id, invoice_id, card, attempted_at);
CREATE INDEX payment_attempts_attempted_at ON payment_attempts (attempted_at);

-- Payment methods that a payment request saved and whose first payment is not known to have
-- succeeded or failed yet.
CREATE TABLE new_cards (
    id              TEXT      NOT NULL,
    organisation_id TEXT      NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
    former_default  TEXT      NOT NULL,
    noted_at        TIMESTAMP NOT NULL,
    check_at        TIMESTAMP NOT NULL,
    PRIMARY KEY (organisation_id, id)
);

CREATE INDEX new_cards_check_at ON new_cards (check_at);
