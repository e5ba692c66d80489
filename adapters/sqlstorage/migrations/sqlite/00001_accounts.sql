-- +goose Up

-- Organisations with their billing data, except for the subscriptions.
CREATE TABLE organisations (
    id               TEXT      NOT NULL PRIMARY KEY,
    name             TEXT      NOT NULL,
    name_key         TEXT      NOT NULL,
    contact_email    TEXT      NOT NULL,
    phone            TEXT      NOT NULL,
    line1            TEXT      NOT NULL,
    line2            TEXT      NOT NULL,
    city             TEXT      NOT NULL,
    state            TEXT      NOT NULL,
    postal_code      TEXT      NOT NULL,
    country          TEXT      NOT NULL,
    currency         TEXT      NOT NULL,
    choice_product   TEXT      NOT NULL,
    choice_interval  TEXT      NOT NULL,
    created_at       TIMESTAMP NOT NULL,

    customer_id      TEXT,
    billing_currency TEXT      NOT NULL,
    trial_used_at    TIMESTAMP,
    revision         INTEGER   NOT NULL,

    dev_license_id                 TEXT,
    dev_license_product            TEXT NOT NULL,
    dev_license_interval           TEXT NOT NULL,
    dev_license_currency           TEXT NOT NULL,
    dev_license_status             TEXT NOT NULL,
    dev_license_current_period_end TIMESTAMP,
    dev_license_trial_end          TIMESTAMP
);

CREATE UNIQUE INDEX organisations_one_per_name ON organisations (name_key);
CREATE UNIQUE INDEX organisations_one_per_customer ON organisations (customer_id);

CREATE TABLE users (
    id              TEXT      NOT NULL PRIMARY KEY,
    organisation_id TEXT      NOT NULL REFERENCES organisations (id),
    first_name      TEXT      NOT NULL,
    last_name       TEXT      NOT NULL,
    email           TEXT      NOT NULL,
    email_key       TEXT      NOT NULL,
    password_hash   TEXT      NOT NULL,
    verified_at     TIMESTAMP,
    created_at      TIMESTAMP NOT NULL
);

CREATE UNIQUE INDEX users_one_per_email ON users (email_key);
CREATE INDEX users_of_organisation ON users (organisation_id);

CREATE TABLE verifications (
    token_hash TEXT      NOT NULL PRIMARY KEY,
    user_id    TEXT      NOT NULL REFERENCES users (id),
    expires_at TIMESTAMP NOT NULL
);

CREATE INDEX verifications_of_user ON verifications (user_id);
CREATE INDEX verifications_by_expiry ON verifications (expires_at);
