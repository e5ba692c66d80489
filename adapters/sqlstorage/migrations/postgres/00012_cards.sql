-- +goose Up

-- Attempts of the server to charge an invoice with a card. card is a hash that identifies the card.
CREATE TABLE payment_attempts (
    key             text        COLLATE "C" NOT NULL PRIMARY KEY,
    organisation_id text        COLLATE "C" NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
    invoice_id      text        COLLATE "C" NOT NULL,
    card            text        COLLATE "C" NOT NULL,
    attempted_at    timestamptz NOT NULL,
    hard_decline    boolean     NOT NULL
);

CREATE INDEX payment_attempts_of_card ON payment_attempts (organisation_id, invoice_id, card, attempted_at);
CREATE INDEX payment_attempts_attempted_at ON payment_attempts (attempted_at);

-- Payment methods that a payment request saved and whose first payment is not known to have
-- succeeded or failed yet.
CREATE TABLE new_cards (
    id              text        COLLATE "C" NOT NULL,
    organisation_id text        COLLATE "C" NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
    former_default  text        COLLATE "C" NOT NULL,
    noted_at        timestamptz NOT NULL,
    check_at        timestamptz NOT NULL,
    PRIMARY KEY (organisation_id, id)
);

CREATE INDEX new_cards_check_at ON new_cards (check_at);
