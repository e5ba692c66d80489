-- +goose Up

-- Copies of the payment provider's invoices, without their lines. Amounts are in minor units of the currency.
CREATE TABLE invoices (
    organisation_id text COLLATE "C" NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
    id              text COLLATE "C" NOT NULL,
    subscription_id text COLLATE "C" NOT NULL,
    number          text COLLATE "C" NOT NULL,
    status          text COLLATE "C" NOT NULL,
    currency        text COLLATE "C" NOT NULL,
    total           bigint           NOT NULL,
    tax             bigint           NOT NULL,
    amount_due      bigint           NOT NULL,
    amount_paid     bigint           NOT NULL,
    description     text COLLATE "C" NOT NULL,
    created_at      timestamptz,
    due_at          timestamptz,
    paid_at         timestamptz,
    next_attempt_at timestamptz,
    PRIMARY KEY (organisation_id, id)
);

CREATE INDEX invoices_in_order ON invoices (organisation_id, created_at, id);

-- The notices whose emails were put into the outbox, so that each is sent once.
CREATE TABLE notices (
    organisation_id text COLLATE "C" NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
    kind            text COLLATE "C" NOT NULL,
    about           text COLLATE "C" NOT NULL,
    period          text COLLATE "C" NOT NULL,
    queued_at       timestamptz      NOT NULL,
    PRIMARY KEY (organisation_id, kind, about, period)
);

-- The notice that an email is about. NULL for other emails and for those of an older server.
ALTER TABLE letters ADD COLUMN organisation_id text COLLATE "C";
ALTER TABLE letters ADD COLUMN notice_kind text COLLATE "C";
ALTER TABLE letters ADD COLUMN notice_about text COLLATE "C";
ALTER TABLE letters ADD COLUMN notice_period text COLLATE "C";
