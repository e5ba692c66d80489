-- +goose Up

-- Texts in indexes have the collation C: the application folds names before it stores them, and an
-- upgrade of the system's collations can't corrupt these indexes.

-- Organisations with their billing data, except for the subscriptions.
CREATE TABLE organisations (
    id               text        COLLATE "C" NOT NULL PRIMARY KEY,
    name             text        NOT NULL,
    name_key         text        COLLATE "C" NOT NULL,
    contact_email    text        NOT NULL,
    phone            text        NOT NULL,
    line1            text        NOT NULL,
    line2            text        NOT NULL,
    city             text        NOT NULL,
    state            text        NOT NULL,
    postal_code      text        NOT NULL,
    country          text        NOT NULL,
    currency         text        NOT NULL,
    choice_product   text        NOT NULL,
    choice_interval  text        NOT NULL,
    created_at       timestamptz NOT NULL,

    customer_id      text        COLLATE "C",
    billing_currency text        NOT NULL,
    trial_used_at    timestamptz,
    revision         bigint      NOT NULL,

    dev_license_id                 text,
    dev_license_product            text NOT NULL,
    dev_license_interval           text NOT NULL,
    dev_license_currency           text NOT NULL,
    dev_license_status             text NOT NULL,
    dev_license_current_period_end timestamptz,
    dev_license_trial_end          timestamptz
);

CREATE UNIQUE INDEX organisations_one_per_name ON organisations (name_key);
CREATE UNIQUE INDEX organisations_one_per_customer ON organisations (customer_id);

CREATE TABLE users (
    id              text        COLLATE "C" NOT NULL PRIMARY KEY,
    organisation_id text        COLLATE "C" NOT NULL REFERENCES organisations (id),
    first_name      text        NOT NULL,
    last_name       text        NOT NULL,
    email           text        NOT NULL,
    email_key       text        COLLATE "C" NOT NULL,
    password_hash   text        NOT NULL,
    verified_at     timestamptz,
    created_at      timestamptz NOT NULL
);

CREATE UNIQUE INDEX users_one_per_email ON users (email_key);
CREATE INDEX users_of_organisation ON users (organisation_id);

CREATE TABLE verifications (
    token_hash text        COLLATE "C" NOT NULL PRIMARY KEY,
    user_id    text        COLLATE "C" NOT NULL REFERENCES users (id),
    expires_at timestamptz NOT NULL
);

CREATE INDEX verifications_of_user ON verifications (user_id);
CREATE INDEX verifications_by_expiry ON verifications (expires_at);
