-- +goose Up

-- Times are seconds since 1970, and amounts are minor units. A document is JSON; what a query needs of it has a column of
-- its own.

-- Customers. document is the JSON of a ledger.Customer. next_at is when something of the customer becomes due, 0 for
-- never. changes counts the changes that the worker has to report to the application, reported those that it has
-- reported, and failures the worker's failures since its last success.
CREATE TABLE gateway_customers (
    id              TEXT   NOT NULL PRIMARY KEY,
    organisation_id TEXT   NOT NULL,
    created_at      BIGINT NOT NULL,
    next_at         BIGINT NOT NULL,
    document        TEXT   NOT NULL,
    changes         BIGINT NOT NULL DEFAULT 0,
    reported        BIGINT NOT NULL DEFAULT 0,
    failures        BIGINT NOT NULL DEFAULT 0
);

CREATE INDEX gateway_customers_of_organisation ON gateway_customers (organisation_id, created_at);
CREATE INDEX gateway_customers_next_at ON gateway_customers (next_at);
CREATE INDEX gateway_customers_failing ON gateway_customers (next_at) WHERE failures > 0;

-- Subscriptions. document is the JSON of an engine.AccountSubscription. position numbers those of a customer, from 1.
CREATE TABLE gateway_subscriptions (
    id          TEXT   NOT NULL PRIMARY KEY,
    customer_id TEXT   NOT NULL REFERENCES gateway_customers (id),
    position    BIGINT NOT NULL,
    document    TEXT   NOT NULL,
    UNIQUE (customer_id, position)
);

-- Invoices. document is the JSON of a ledger.Invoice. renewal_of is the beginning of the period for an invoice of a
-- renewal and otherwise NULL, so that a period is invoiced once.
CREATE TABLE gateway_invoices (
    id              TEXT   NOT NULL PRIMARY KEY,
    number          BIGINT NOT NULL UNIQUE,
    customer_id     TEXT   NOT NULL REFERENCES gateway_customers (id),
    subscription_id TEXT   NOT NULL REFERENCES gateway_subscriptions (id),
    renewal_of      BIGINT,
    status          TEXT   NOT NULL,
    document        TEXT   NOT NULL,
    UNIQUE (subscription_id, renewal_of)
);

CREATE INDEX gateway_invoices_of_customer ON gateway_invoices (customer_id, number);

-- The last number of an invoice.
CREATE TABLE gateway_numbers (
    name TEXT   NOT NULL PRIMARY KEY,
    last BIGINT NOT NULL
);

INSERT INTO gateway_numbers (name, last) VALUES ('invoice', 0);

-- The response to each request by its idempotency key. fingerprint is a hash of the request, '' for a retired key.
-- created_at is a time of the database's clock. Old responses are deleted.
CREATE TABLE gateway_responses (
    key         TEXT   NOT NULL PRIMARY KEY,
    fingerprint TEXT   NOT NULL,
    response    TEXT   NOT NULL,
    created_at  BIGINT NOT NULL
);

CREATE INDEX gateway_responses_created_at ON gateway_responses (created_at);

-- Attempts to collect an invoice, or to save a payment method. document is the JSON of an engine.Attempt. invoice_id is ''
-- for an attempt that only saves a method. ref is the gateway's reference, '' while it is unknown. complete is 1 for an
-- attempt that has ended and need not be looked up any more, and returned is 1 if the money went back to the customer;
-- otherwise they are 0. position numbers the attempts of a customer, from 1.
CREATE TABLE gateway_attempts (
    key         TEXT   NOT NULL PRIMARY KEY,
    customer_id TEXT   NOT NULL REFERENCES gateway_customers (id),
    invoice_id  TEXT   NOT NULL,
    ref         TEXT   NOT NULL,
    complete    BIGINT NOT NULL,
    returned    BIGINT NOT NULL,
    position    BIGINT NOT NULL,
    document    TEXT   NOT NULL
);

CREATE INDEX gateway_attempts_of_customer ON gateway_attempts (customer_id, complete, position);
CREATE INDEX gateway_attempts_of_invoice ON gateway_attempts (invoice_id);
CREATE INDEX gateway_attempts_ref ON gateway_attempts (ref);
CREATE INDEX gateway_attempts_pending ON gateway_attempts (customer_id) WHERE complete = 0;

-- Refunds. document is the JSON of an engine.RefundAttempt. payment_key is the key of the attempt that has paid. complete
-- and position are as in gateway_attempts.
CREATE TABLE gateway_refunds (
    key         TEXT   NOT NULL PRIMARY KEY,
    customer_id TEXT   NOT NULL REFERENCES gateway_customers (id),
    invoice_id  TEXT   NOT NULL,
    payment_key TEXT   NOT NULL,
    complete    BIGINT NOT NULL,
    position    BIGINT NOT NULL,
    document    TEXT   NOT NULL
);

CREATE INDEX gateway_refunds_of_customer ON gateway_refunds (customer_id, position);
CREATE INDEX gateway_refunds_of_invoice ON gateway_refunds (invoice_id);
CREATE INDEX gateway_refunds_pending ON gateway_refunds (customer_id) WHERE complete = 0;

-- The cursor after the changes of payments that were read from the gateway.
CREATE TABLE gateway_cursors (
    name  TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
);

INSERT INTO gateway_cursors (name, value) VALUES ('payments', '');
