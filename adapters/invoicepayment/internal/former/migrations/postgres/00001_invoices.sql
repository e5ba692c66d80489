-- +goose Up

-- Documents are JSON. Times are seconds since 1970, and amounts are minor units.
CREATE TABLE invoice_customers (
    id              text COLLATE "C" NOT NULL PRIMARY KEY,
    organisation_id text COLLATE "C" NOT NULL,
    created_at      bigint NOT NULL,
    next_at         bigint NOT NULL, -- when something becomes due; 0 for never
    document        text  NOT NULL
);

CREATE INDEX invoice_customers_of_organisation ON invoice_customers (organisation_id, created_at);
CREATE INDEX invoice_customers_next_at ON invoice_customers (next_at);

CREATE TABLE invoice_subscriptions (
    id          text COLLATE "C" NOT NULL PRIMARY KEY,
    customer_id text COLLATE "C" NOT NULL REFERENCES invoice_customers (id),
    position    bigint NOT NULL, -- among the subscriptions of the customer, from 1
    document    text  NOT NULL,
    UNIQUE (customer_id, position)
);

CREATE TABLE invoice_invoices (
    id              text COLLATE "C" NOT NULL PRIMARY KEY,
    number          bigint NOT NULL UNIQUE,
    customer_id     text COLLATE "C" NOT NULL REFERENCES invoice_customers (id),
    subscription_id text COLLATE "C" NOT NULL REFERENCES invoice_subscriptions (id),
    renewal_of      bigint, -- the beginning of the period; NULL for other invoices than those of a renewal
    status          text COLLATE "C" NOT NULL,
    document        text  NOT NULL,
    UNIQUE (subscription_id, renewal_of)
);

CREATE INDEX invoice_invoices_of_customer ON invoice_invoices (customer_id, number);
CREATE INDEX invoice_invoices_by_status ON invoice_invoices (status, number);

CREATE TABLE invoice_numbers (
    name text COLLATE "C" NOT NULL PRIMARY KEY,
    last bigint NOT NULL
);

INSERT INTO invoice_numbers (name, last) VALUES ('invoice', 0);

-- Payments that an operator recorded. The reference keeps one from being recorded twice.
CREATE TABLE invoice_payments (
    invoice_id  text COLLATE "C" NOT NULL REFERENCES invoice_invoices (id),
    reference   text COLLATE "C" NOT NULL,
    amount      bigint NOT NULL,
    received_at bigint NOT NULL,
    PRIMARY KEY (invoice_id, reference)
);

-- Organisations that an operator allowed to pay by invoice.
CREATE TABLE invoice_approvals (
    organisation_id text COLLATE "C" NOT NULL PRIMARY KEY,
    approved_at     bigint NOT NULL
);

-- The response to each request by its key. The fingerprint of a retired key is empty.
CREATE TABLE invoice_responses (
    key         text COLLATE "C" NOT NULL PRIMARY KEY,
    fingerprint text COLLATE "C" NOT NULL,
    response    text COLLATE "C" NOT NULL
);
