-- +goose Up

-- ordinal numbers the subscriptions of an organisation, from 0 for the oldest.
CREATE TABLE subscriptions (
    id                    TEXT      NOT NULL PRIMARY KEY,
    organisation_id       TEXT      NOT NULL REFERENCES organisations (id),
    ordinal               INTEGER   NOT NULL,
    customer_id           TEXT      NOT NULL,
    status                TEXT      NOT NULL,
    product               TEXT      NOT NULL,
    billing_interval      TEXT      NOT NULL,
    currency              TEXT      NOT NULL,
    created_at            TIMESTAMP,
    current_period_end    TIMESTAMP,
    trial_end             TIMESTAMP,
    latest_invoice_id     TEXT,
    payment_intent_id     TEXT,
    payment_intent_status TEXT,
    pending_setup_id      TEXT,
    pending_setup_status  TEXT
);

CREATE INDEX subscriptions_of_organisation ON subscriptions (organisation_id, ordinal);
CREATE UNIQUE INDEX subscriptions_one_live ON subscriptions (organisation_id)
    WHERE status IN ('trialing', 'active', 'past_due');

CREATE TABLE operations (
    key             TEXT      NOT NULL PRIMARY KEY,
    organisation_id TEXT      NOT NULL REFERENCES organisations (id),
    lane            TEXT      NOT NULL,
    fingerprint     TEXT      NOT NULL,
    created_at      TIMESTAMP NOT NULL,
    settled_at      TIMESTAMP,
    result          TEXT      NOT NULL
);

CREATE UNIQUE INDEX operations_one_pending ON operations (organisation_id, lane) WHERE settled_at IS NULL;
CREATE INDEX operations_by_settling ON operations (organisation_id, lane, settled_at, created_at) WHERE result <> '';
CREATE INDEX operations_pending ON operations (created_at, key) WHERE settled_at IS NULL;

-- Webhook events that were handled.
CREATE TABLE events (
    id         TEXT      NOT NULL PRIMARY KEY,
    kind       TEXT      NOT NULL,
    handled_at TIMESTAMP NOT NULL
);
