-- +goose Up

-- Times are seconds since 1970, and amounts are minor units. A document is JSON; what a query needs of it has a column of
-- its own.

-- Customers. document is the JSON of a ledger.Customer. next_at is when something of the customer becomes due, 0 for
-- never. changes counts the changes that the worker has to report to the application, reported those that it has
-- reported, and failures the worker's failures since its last success.
CREATE TABLE invoice_customers (
    id              text COLLATE "C" NOT NULL PRIMARY KEY,
    organisation_id text COLLATE "C" NOT NULL,
    created_at      bigint NOT NULL,
    next_at         bigint NOT NULL,
    document        text NOT NULL,
    changes         bigint NOT NULL DEFAULT 0,
    reported        bigint NOT NULL DEFAULT 0,
    failures        bigint NOT NULL DEFAULT 0
);

CREATE INDEX invoice_customers_of_organisation ON invoice_customers (organisation_id, created_at);
CREATE INDEX invoice_customers_next_at ON invoice_customers (next_at);
CREATE INDEX invoice_customers_failing ON invoice_customers (next_at) WHERE failures > 0;

-- Subscriptions. document is the JSON of an engine.AccountSubscription. position numbers those of a customer, from 1.
CREATE TABLE invoice_subscriptions (
    id          text COLLATE "C" NOT NULL PRIMARY KEY,
    customer_id text COLLATE "C" NOT NULL REFERENCES invoice_customers (id),
    position    bigint NOT NULL,
    document    text NOT NULL,
    UNIQUE (customer_id, position)
);

-- Invoices. document is the JSON of a ledger.Invoice. renewal_of is the beginning of the period for an invoice of a
-- renewal and otherwise NULL, so that a period is invoiced once.
CREATE TABLE invoice_invoices (
    id              text COLLATE "C" NOT NULL PRIMARY KEY,
    number          bigint NOT NULL UNIQUE,
    customer_id     text COLLATE "C" NOT NULL REFERENCES invoice_customers (id),
    subscription_id text COLLATE "C" NOT NULL REFERENCES invoice_subscriptions (id),
    renewal_of      bigint,
    status          text COLLATE "C" NOT NULL,
    document        text NOT NULL,
    UNIQUE (subscription_id, renewal_of)
);

CREATE INDEX invoice_invoices_of_customer ON invoice_invoices (customer_id, number);
CREATE INDEX invoice_invoices_by_status ON invoice_invoices (status, number);

-- The last number of an invoice.
CREATE TABLE invoice_numbers (
    name text COLLATE "C" NOT NULL PRIMARY KEY,
    last bigint NOT NULL
);

INSERT INTO invoice_numbers (name, last) VALUES ('invoice', 0);

-- The response to each request by its idempotency key. fingerprint is a hash of the request, '' for a retired key.
-- created_at is a time of the database's clock. Old responses are deleted.
CREATE TABLE invoice_responses (
    key         text COLLATE "C" NOT NULL PRIMARY KEY,
    fingerprint text COLLATE "C" NOT NULL,
    response    text COLLATE "C" NOT NULL,
    created_at  bigint NOT NULL
);

CREATE INDEX invoice_responses_created_at ON invoice_responses (created_at);

-- Bank transfers that an operator recorded. The reference keeps one from being recorded twice. amount is negative for money
-- that was sent to the customer. applied is the part that changed what is paid for the invoice; the rest changed the
-- credit.
CREATE TABLE invoice_transfers (
    reference   text COLLATE "C" NOT NULL PRIMARY KEY,
    invoice_id  text COLLATE "C" NOT NULL REFERENCES invoice_invoices (id),
    amount      bigint NOT NULL,
    applied     bigint NOT NULL,
    recorded_at bigint NOT NULL
);

CREATE INDEX invoice_transfers_of_invoice ON invoice_transfers (invoice_id);

-- Organisations that an operator allowed to pay by invoice.
CREATE TABLE invoice_approvals (
    organisation_id text COLLATE "C" NOT NULL PRIMARY KEY,
    approved_at     bigint NOT NULL
);
