-- +goose Up

-- Copies of the payment provider's invoices, without their lines. Amounts are in minor units of the currency.
CREATE TABLE invoices (
    organisation_id TEXT      NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
    id              TEXT      NOT NULL,
    subscription_id TEXT      NOT NULL,
    number          TEXT      NOT NULL,
    status          TEXT      NOT NULL,
    currency        TEXT      NOT NULL,
    total           BIGINT    NOT NULL,
    tax             BIGINT    NOT NULL,
    amount_due      BIGINT    NOT NULL,
    amount_paid     BIGINT    NOT NULL,
    description     TEXT      NOT NULL,
    created_at      TIMESTAMP,
    due_at          TIMESTAMP,
    paid_at         TIMESTAMP,
    next_attempt_at TIMESTAMP,
    PRIMARY KEY (organisation_id, id)
);

CREATE INDEX invoices_in_order ON invoices (organisation_id, created_at, id);

-- The notices whose emails were put into the outbox, so that each is sent once.
CREATE TABLE notices (
    organisation_id TEXT      NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
    kind            TEXT      NOT NULL,
    about           TEXT      NOT NULL,
    period          TEXT      NOT NULL,
    queued_at       TIMESTAMP NOT NULL,
    PRIMARY KEY (organisation_id, kind, about, period)
);

-- The notice that an email is about. NULL for other emails and for those of an older server.
ALTER TABLE letters ADD COLUMN organisation_id TEXT;
ALTER TABLE letters ADD COLUMN notice_kind TEXT;
ALTER TABLE letters ADD COLUMN notice_about TEXT;
ALTER TABLE letters ADD COLUMN notice_period TEXT;
