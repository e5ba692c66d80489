-- +goose Up

-- Documents are JSON. Times are seconds since 1970, and amounts are minor units.
CREATE TABLE gateway_customers (
    id              TEXT   NOT NULL PRIMARY KEY,
    organisation_id TEXT   NOT NULL,
    created_at      BIGINT NOT NULL,
    next_at         BIGINT NOT NULL, -- when something becomes due; 0 for never
    document        TEXT   NOT NULL,
    -- The number of changes that the worker has to report to the application, and of those that it has reported.
    changes         BIGINT NOT NULL DEFAULT 0,
    reported        BIGINT NOT NULL DEFAULT 0,
    failures        BIGINT NOT NULL DEFAULT 0 -- of the worker since its last success
);

CREATE INDEX gateway_customers_of_organisation ON gateway_customers (organisation_id, created_at);
CREATE INDEX gateway_customers_next_at ON gateway_customers (next_at);

CREATE TABLE gateway_subscriptions (
    id          TEXT   NOT NULL PRIMARY KEY,
    customer_id TEXT   NOT NULL REFERENCES gateway_customers (id),
    position    BIGINT NOT NULL, -- among the subscriptions of the customer, from 1
    document    TEXT   NOT NULL,
    UNIQUE (customer_id, position)
);

CREATE TABLE gateway_invoices (
    id              TEXT   NOT NULL PRIMARY KEY,
    number          BIGINT NOT NULL UNIQUE,
    customer_id     TEXT   NOT NULL REFERENCES gateway_customers (id),
    subscription_id TEXT   NOT NULL REFERENCES gateway_subscriptions (id),
    renewal_of      BIGINT, -- the beginning of the period; NULL for other invoices than those of a renewal
    status          TEXT   NOT NULL,
    document        TEXT   NOT NULL,
    UNIQUE (subscription_id, renewal_of)
);

CREATE INDEX gateway_invoices_of_customer ON gateway_invoices (customer_id, number);

CREATE TABLE gateway_numbers (
    name TEXT   NOT NULL PRIMARY KEY,
    last BIGINT NOT NULL
);

INSERT INTO gateway_numbers (name, last) VALUES ('invoice', 0);

CREATE TABLE gateway_responses (
    key         TEXT   NOT NULL PRIMARY KEY,
    fingerprint TEXT   NOT NULL, -- of the request; '' for a retired key
    response    TEXT   NOT NULL,
    created_at  BIGINT NOT NULL  -- by the database's clock
);

CREATE INDEX gateway_responses_created_at ON gateway_responses (created_at);

-- Attempts to collect an invoice, or to save a payment method.
CREATE TABLE gateway_attempts (
    key         TEXT   NOT NULL PRIMARY KEY,
    customer_id TEXT   NOT NULL REFERENCES gateway_customers (id),
    invoice_id  TEXT   NOT NULL, -- '' for an attempt that only saves a method
    ref         TEXT   NOT NULL, -- the provider's; '' while unknown
    over        BIGINT NOT NULL, -- 1 if it has ended and need not be looked up any more, else 0
    saving      BIGINT NOT NULL, -- 1 if it only saves a payment method
    returned    BIGINT NOT NULL, -- 1 if the money went back to the customer
    position    BIGINT NOT NULL, -- among the attempts of the customer, from 1
    document    TEXT   NOT NULL
);

CREATE INDEX gateway_attempts_of_customer ON gateway_attempts (customer_id, over, position);
CREATE INDEX gateway_attempts_of_invoice ON gateway_attempts (invoice_id);
CREATE INDEX gateway_attempts_ref ON gateway_attempts (ref);

CREATE TABLE gateway_refunds (
    key         TEXT   NOT NULL PRIMARY KEY,
    customer_id TEXT   NOT NULL REFERENCES gateway_customers (id),
    invoice_id  TEXT   NOT NULL,
    payment_key TEXT   NOT NULL, -- of the attempt that has paid
    over        BIGINT NOT NULL, -- as of attempts
    position    BIGINT NOT NULL, -- among the refunds of the customer, from 1
    document    TEXT   NOT NULL
);

CREATE INDEX gateway_refunds_of_customer ON gateway_refunds (customer_id, position);
CREATE INDEX gateway_refunds_of_invoice ON gateway_refunds (invoice_id);

-- The cursor after the changes of payments that were read from the gateway.
CREATE TABLE gateway_cursors (
    name  TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
);

INSERT INTO gateway_cursors (name, value) VALUES ('payments', '');
