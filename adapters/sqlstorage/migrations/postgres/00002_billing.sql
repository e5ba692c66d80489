-- +goose Up

-- ordinal numbers the subscriptions of an organisation, from 0 for the oldest.
CREATE TABLE subscriptions (
    id                    text        COLLATE "C" NOT NULL PRIMARY KEY,
    organisation_id       text        COLLATE "C" NOT NULL REFERENCES organisations (id),
    ordinal               integer     NOT NULL,
    customer_id           text        NOT NULL,
    status                text        COLLATE "C" NOT NULL,
    product               text        NOT NULL,
    billing_interval      text        NOT NULL,
    currency              text        NOT NULL,
    created_at            timestamptz,
    current_period_end    timestamptz,
    trial_end             timestamptz,
    latest_invoice_id     text,
    payment_intent_id     text,
    payment_intent_status text,
    pending_setup_id      text,
    pending_setup_status  text
);

CREATE INDEX subscriptions_of_organisation ON subscriptions (organisation_id, ordinal);
CREATE UNIQUE INDEX subscriptions_one_live ON subscriptions (organisation_id)
    WHERE status IN ('trialing', 'active', 'past_due');

CREATE TABLE operations (
    key             text        COLLATE "C" NOT NULL PRIMARY KEY,
    organisation_id text        COLLATE "C" NOT NULL REFERENCES organisations (id),
    lane            text        COLLATE "C" NOT NULL,
    fingerprint     text        NOT NULL,
    created_at      timestamptz NOT NULL,
    settled_at      timestamptz,
    result          text        COLLATE "C" NOT NULL
);

CREATE UNIQUE INDEX operations_one_pending ON operations (organisation_id, lane) WHERE settled_at IS NULL;
CREATE INDEX operations_by_settling ON operations (organisation_id, lane, settled_at, created_at) WHERE result <> '';
CREATE INDEX operations_pending ON operations (created_at, key) WHERE settled_at IS NULL;

-- Webhook events that were handled.
CREATE TABLE events (
    id         text        COLLATE "C" NOT NULL PRIMARY KEY,
    kind       text        NOT NULL,
    handled_at timestamptz NOT NULL
);
