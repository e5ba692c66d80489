-- The database of the server before migration 32, with which emails about billing came, on 3 April 2026.
CREATE TABLE goose_db_version (
		id INTEGER PRIMARY KEY AUTOINCREMENT,
		version_id INTEGER NOT NULL,
		is_applied INTEGER NOT NULL,
		tstamp TIMESTAMP DEFAULT (datetime('now'))
	);
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
, check_at TIMESTAMP, bill_voided_at TIMESTAMP, bill_voided_for TEXT, bill_owed_for TEXT, billing_details TEXT NOT NULL DEFAULT '', details_sent_to TEXT NOT NULL DEFAULT '');
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
CREATE TABLE verifications (
    token_hash TEXT      NOT NULL PRIMARY KEY,
    user_id    TEXT      NOT NULL REFERENCES users (id),
    expires_at TIMESTAMP NOT NULL
);
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
, latest_invoice_status TEXT, latest_invoice_amount INTEGER, latest_invoice_currency TEXT, latest_invoice_created_at TIMESTAMP, latest_invoice_next_attempt_at TIMESTAMP, next_action TEXT, pending_product TEXT, pending_interval TEXT, pending_currency TEXT, pending_invoice_id TEXT, pending_amount INTEGER, pending_amount_currency TEXT, pending_expires_at TIMESTAMP, changed_by TEXT, made_by TEXT, period_start TIMESTAMP, ends_at TIMESTAMP, plan_ends_at TIMESTAMP, scheduled_product TEXT, scheduled_interval TEXT, scheduled_currency TEXT, scheduled_at TIMESTAMP, hold TEXT, latest_invoice_paid BIGINT, latest_invoice_total BIGINT, latest_invoice_credit_used BIGINT, amount BIGINT, renewal_amount BIGINT, scheduled_amount BIGINT, pause TEXT, pending_replaces TEXT);
CREATE TABLE operations (
    key             TEXT      NOT NULL PRIMARY KEY,
    organisation_id TEXT      NOT NULL REFERENCES organisations (id),
    lane            TEXT      NOT NULL,
    fingerprint     TEXT      NOT NULL,
    created_at      TIMESTAMP NOT NULL,
    settled_at      TIMESTAMP,
    result          TEXT      NOT NULL
, steps TEXT NOT NULL DEFAULT '', began_at TIMESTAMP);
CREATE TABLE events (
    id         TEXT      NOT NULL PRIMARY KEY,
    kind       TEXT      NOT NULL,
    handled_at TIMESTAMP NOT NULL
);
CREATE TABLE letters (
    id         INTEGER   NOT NULL PRIMARY KEY AUTOINCREMENT,
    recipient  TEXT      NOT NULL,
    subject    TEXT      NOT NULL,
    text       TEXT      NOT NULL,
    html       TEXT      NOT NULL,
    attempts   INTEGER   NOT NULL,
    created_at TIMESTAMP NOT NULL,
    due_at     TIMESTAMP NOT NULL
, user_id TEXT, organisation_id TEXT, notice_kind TEXT, notice_about TEXT, notice_period TEXT);
CREATE TABLE secrets (
    name  TEXT NOT NULL PRIMARY KEY,
    value BLOB NOT NULL
);
CREATE TABLE "sessions" (
    token  TEXT      NOT NULL PRIMARY KEY,
    data   BLOB      NOT NULL,
    expiry TIMESTAMP NOT NULL
, user_id TEXT);
CREATE TABLE rate_limits (
    key        TEXT    NOT NULL PRIMARY KEY,
    used_until INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE payment_attempts (
    key             TEXT      NOT NULL PRIMARY KEY,
    organisation_id TEXT      NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
    invoice_id      TEXT      NOT NULL,
    card            TEXT      NOT NULL,
    attempted_at    TIMESTAMP NOT NULL,
    hard_decline    BOOLEAN   NOT NULL
);
CREATE TABLE new_cards (
    id              TEXT      NOT NULL,
    organisation_id TEXT      NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
    former_default  TEXT      NOT NULL,
    noted_at        TIMESTAMP NOT NULL,
    check_at        TIMESTAMP NOT NULL,
    PRIMARY KEY (organisation_id, id)
);
CREATE TABLE email_requests (
    id           INTEGER   NOT NULL PRIMARY KEY AUTOINCREMENT,
    kind         TEXT      NOT NULL,
    email        TEXT      NOT NULL,
    requested_at TIMESTAMP NOT NULL,
    due_at       TIMESTAMP NOT NULL
);
CREATE TABLE password_resets (
    token_hash TEXT      NOT NULL PRIMARY KEY,
    user_id    TEXT      NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    expires_at TIMESTAMP NOT NULL
);
CREATE TABLE endings (
    organisation_id TEXT      NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
    subscription_id TEXT      NOT NULL,
    requested_at    TIMESTAMP NOT NULL,
    reason          TEXT      NOT NULL,
    comment         TEXT      NOT NULL,
    PRIMARY KEY (organisation_id, subscription_id)
);
CREATE TABLE leases (
    name       TEXT      NOT NULL PRIMARY KEY,
    token      BIGINT    NOT NULL,
    expires_at TIMESTAMP NOT NULL
);
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
    next_attempt_at TIMESTAMP, credit_used BIGINT, refunded BIGINT, credited BIGINT, time_zone TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (organisation_id, id)
);
CREATE TABLE notices (
    organisation_id TEXT      NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
    kind            TEXT      NOT NULL,
    about           TEXT      NOT NULL,
    period          TEXT      NOT NULL,
    queued_at       TIMESTAMP NOT NULL,
    PRIMARY KEY (organisation_id, kind, about, period)
);
CREATE TABLE operator_actions (
    id              TEXT      PRIMARY KEY,
    organisation_id TEXT      NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
    at              TIMESTAMP NOT NULL,
    operator        TEXT      NOT NULL,
    kind            TEXT      NOT NULL,
    reason          TEXT      NOT NULL
);
CREATE TABLE email_confirmations (
    token_hash      TEXT      NOT NULL PRIMARY KEY,
    organisation_id TEXT      NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
    email           TEXT      NOT NULL,
    expires_at      TIMESTAMP NOT NULL
);
CREATE UNIQUE INDEX organisations_one_per_name ON organisations (name_key);
CREATE UNIQUE INDEX organisations_one_per_customer ON organisations (customer_id);
CREATE UNIQUE INDEX users_one_per_email ON users (email_key);
CREATE INDEX users_of_organisation ON users (organisation_id);
CREATE INDEX verifications_of_user ON verifications (user_id);
CREATE INDEX verifications_by_expiry ON verifications (expires_at);
CREATE INDEX subscriptions_of_organisation ON subscriptions (organisation_id, ordinal);
CREATE UNIQUE INDEX subscriptions_one_live ON subscriptions (organisation_id)
    WHERE status IN ('trialing', 'active', 'past_due');
CREATE UNIQUE INDEX operations_one_pending ON operations (organisation_id, lane) WHERE settled_at IS NULL;
CREATE INDEX operations_by_settling ON operations (organisation_id, lane, settled_at, created_at) WHERE result <> '';
CREATE INDEX operations_pending ON operations (created_at, key) WHERE settled_at IS NULL;
CREATE INDEX letters_in_order ON letters (created_at, id, due_at);
CREATE INDEX sessions_expiry ON sessions (expiry);
CREATE INDEX rate_limits_used_until ON rate_limits (used_until);
CREATE INDEX organisations_by_check ON organisations (check_at, id) WHERE check_at IS NOT NULL;
CREATE INDEX payment_attempts_of_card ON payment_attempts (organisation_id, invoice_id, card, attempted_at);
CREATE INDEX payment_attempts_attempted_at ON payment_attempts (attempted_at);
CREATE INDEX new_cards_check_at ON new_cards (check_at);
CREATE INDEX users_unverified ON users (created_at) WHERE verified_at IS NULL;
CREATE INDEX operations_of_organisation ON operations (organisation_id);
CREATE INDEX letters_of_user ON letters (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX email_requests_in_order ON email_requests (requested_at, id, due_at);
CREATE INDEX password_resets_of_user ON password_resets (user_id);
CREATE INDEX password_resets_by_expiry ON password_resets (expires_at);
CREATE INDEX sessions_of_user ON sessions (user_id);
CREATE INDEX invoices_in_order ON invoices (organisation_id, created_at, id);
CREATE INDEX events_by_age ON events (handled_at);
CREATE INDEX operator_actions_of_organisation ON operator_actions (organisation_id, at, id);
CREATE INDEX subscriptions_on_hold ON subscriptions (organisation_id) WHERE hold IS NOT NULL;
CREATE INDEX email_confirmations_of_organisation ON email_confirmations (organisation_id);
CREATE INDEX email_confirmations_by_expiry ON email_confirmations (expires_at);
CREATE INDEX letters_by_urgency ON letters ((notice_kind IS NOT NULL), created_at, id, due_at);
INSERT INTO goose_db_version VALUES (1, 0, 1, '2026-11-23 13:38:51');
INSERT INTO goose_db_version VALUES (2, 1, 1, '2026-11-23 13:38:51');
INSERT INTO goose_db_version VALUES (3, 2, 1, '2026-11-23 13:38:51');
INSERT INTO goose_db_version VALUES (4, 3, 1, '2026-11-23 13:38:51');
INSERT INTO goose_db_version VALUES (5, 4, 1, '2026-11-23 13:38:51');
INSERT INTO goose_db_version VALUES (6, 5, 1, '2026-11-23 13:38:51');
INSERT INTO goose_db_version VALUES (7, 6, 1, '2026-11-23 13:38:51');
INSERT INTO goose_db_version VALUES (8, 7, 1, '2026-11-23 13:38:51');
INSERT INTO goose_db_version VALUES (9, 8, 1, '2026-11-23 13:38:51');
INSERT INTO goose_db_version VALUES (10, 9, 1, '2026-11-23 13:38:51');
INSERT INTO goose_db_version VALUES (11, 10, 1, '2026-11-23 13:38:51');
INSERT INTO goose_db_version VALUES (12, 11, 1, '2026-11-23 13:38:51');
INSERT INTO goose_db_version VALUES (13, 12, 1, '2026-11-23 13:38:51');
INSERT INTO goose_db_version VALUES (14, 13, 1, '2026-11-23 13:38:51');
INSERT INTO goose_db_version VALUES (15, 14, 1, '2026-11-23 13:38:51');
INSERT INTO goose_db_version VALUES (16, 15, 1, '2026-11-23 13:38:52');
INSERT INTO goose_db_version VALUES (17, 16, 1, '2026-11-23 13:38:52');
INSERT INTO goose_db_version VALUES (18, 17, 1, '2026-11-23 13:38:52');
INSERT INTO goose_db_version VALUES (19, 18, 1, '2026-11-23 13:38:52');
INSERT INTO goose_db_version VALUES (20, 20, 1, '2026-11-23 13:38:52');
INSERT INTO goose_db_version VALUES (21, 21, 1, '2026-11-23 13:38:52');
INSERT INTO goose_db_version VALUES (22, 22, 1, '2026-11-23 13:38:52');
INSERT INTO goose_db_version VALUES (23, 23, 1, '2026-11-23 13:38:52');
INSERT INTO goose_db_version VALUES (24, 24, 1, '2026-11-23 13:38:52');
INSERT INTO goose_db_version VALUES (25, 25, 1, '2026-11-23 13:38:52');
INSERT INTO goose_db_version VALUES (26, 26, 1, '2026-11-23 13:38:52');
INSERT INTO goose_db_version VALUES (27, 28, 1, '2026-11-23 13:38:52');
INSERT INTO goose_db_version VALUES (28, 29, 1, '2026-11-23 13:38:52');
INSERT INTO goose_db_version VALUES (29, 31, 1, '2026-11-23 13:38:52');
INSERT INTO organisations VALUES ('org_qgr5mq7iu62kdr5bxzii6zbjoe', 'Practice of paying', 'PRACTICE OF PAYING', 'paying@example.com', '+61 2 9000 0000', '1 Long Road', '', 'Sydney', 'NSW', '2000', 'AU', 'AUD', '', '', '2026-03-01 12:00:00+00:00', 'cus_5KXKU3SEHLC2T66GMSMOA4LXYM', 'AUD', NULL, 5, NULL, '', '', '', '', NULL, NULL, '2026-04-08 12:00:00+00:00', NULL, NULL, NULL, '', '');
INSERT INTO organisations VALUES ('org_c24duotsdo5q5ewpyh7xg5vku4', 'Practice of ended', 'PRACTICE OF ENDED', 'ended@example.com', '+61 2 9000 0000', '1 Long Road', '', 'Sydney', 'NSW', '2000', 'AU', 'AUD', '', '', '2026-03-01 12:00:00+00:00', 'cus_RV5IBZ55JKJT4B72NB3GQM3NP7', 'AUD', NULL, 4, NULL, '', '', '', '', NULL, NULL, '2026-04-08 12:00:00+00:00', NULL, NULL, NULL, '', '');
INSERT INTO organisations VALUES ('org_kukw3zc4kseup6uvu4kuffg32r', 'Practice of overdue', 'PRACTICE OF OVERDUE', 'overdue@example.com', '+61 2 9000 0000', '1 Long Road', '', 'Sydney', 'NSW', '2000', 'AU', 'AUD', '', '', '2026-03-26 12:00:00+00:00', 'cus_KLXZJG2LMWP4VF3U6QTKYW7OGT', 'AUD', '2026-03-26 12:00:00+00:00', 4, NULL, '', '', '', '', NULL, NULL, '2026-04-03 13:00:00+00:00', NULL, NULL, NULL, '', '');
INSERT INTO organisations VALUES ('org_uarawgerlwil76hsqvvfreb4l2', 'Practice of trial', 'PRACTICE OF TRIAL', 'trial@example.com', '+61 2 9000 0000', '1 Long Road', '', 'Sydney', 'NSW', '2000', 'AU', 'AUD', '', '', '2026-03-31 12:00:00+00:00', 'cus_Q3WZWCBZPT4KORYVKACR6IQA6D', 'AUD', '2026-03-31 12:00:00+00:00', 2, NULL, '', '', '', '', NULL, NULL, '2026-04-07 14:00:00+00:00', NULL, NULL, NULL, '', '');
INSERT INTO users VALUES ('usr_pq4lvdzh7c6wwnbmz54jg42g5q', 'org_qgr5mq7iu62kdr5bxzii6zbjoe', 'Ann', 'Lee', 'paying@example.com', 'paying@example.com', 'Secret123', '2026-03-01 12:00:00+00:00', '2026-03-01 12:00:00+00:00');
INSERT INTO users VALUES ('usr_axuwy52qrxvkjshi2wo7vuuh2q', 'org_c24duotsdo5q5ewpyh7xg5vku4', 'Ann', 'Lee', 'ended@example.com', 'ended@example.com', 'Secret123', '2026-03-01 12:00:00+00:00', '2026-03-01 12:00:00+00:00');
INSERT INTO users VALUES ('usr_vqszg4alc2kncayhxm5klvpvgm', 'org_kukw3zc4kseup6uvu4kuffg32r', 'Ann', 'Lee', 'overdue@example.com', 'overdue@example.com', 'Secret123', '2026-03-26 12:00:00+00:00', '2026-03-26 12:00:00+00:00');
INSERT INTO users VALUES ('usr_4ipsddo5auufvqb5zmka7qgcci', 'org_uarawgerlwil76hsqvvfreb4l2', 'Ann', 'Lee', 'trial@example.com', 'trial@example.com', 'Secret123', '2026-03-31 12:00:00+00:00', '2026-03-31 12:00:00+00:00');
INSERT INTO verifications VALUES ('200935e1d933680f8002a9da5b7f16aa0aa849c54c7152689d61bfa7c71c2799', 'usr_pq4lvdzh7c6wwnbmz54jg42g5q', '2026-03-03 12:00:00+00:00');
INSERT INTO verifications VALUES ('c8d62c84712da44970aacbcefaa58b0001a4a57a08c7c47e49148d2891fdb3c2', 'usr_axuwy52qrxvkjshi2wo7vuuh2q', '2026-03-03 12:00:00+00:00');
INSERT INTO verifications VALUES ('defc3d5fda1a719a268059844748f6122ad06bd39812bfeac5f9473725b84da0', 'usr_vqszg4alc2kncayhxm5klvpvgm', '2026-03-28 12:00:00+00:00');
INSERT INTO verifications VALUES ('8ae91437bf5c503cdd2a214246cf4d308a407010731c0d38b67ffa71bacfc08b', 'usr_4ipsddo5auufvqb5zmka7qgcci', '2026-04-02 12:00:00+00:00');
INSERT INTO subscriptions VALUES ('sub_7RZ7YNVIIK7Y5R4ZL7NUP4MBAF', 'org_qgr5mq7iu62kdr5bxzii6zbjoe', 0, 'cus_5KXKU3SEHLC2T66GMSMOA4LXYM', 'active', 'standard', 'monthly', 'AUD', '2026-03-01 12:00:00+00:00', '2026-05-01 12:00:00+00:00', NULL, 'in_WY5P6RFQBSYDIGVLK3GLQPAWHA', 'pi_ZYLD7NDRQUKZHNYFYWSIW2G7DT', 'succeeded', NULL, NULL, 'paid', 3900, 'AUD', '2026-04-01 12:00:00+00:00', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'op_wergz6ixy35mjkqel4s6xqpib3-1', '2026-04-01 12:00:00+00:00', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 3900, 3900, 0, 3900, 3900, NULL, NULL, NULL);
INSERT INTO subscriptions VALUES ('sub_VMM4MOKS46OBJNV6N3C2LZHJNI', 'org_c24duotsdo5q5ewpyh7xg5vku4', 0, 'cus_RV5IBZ55JKJT4B72NB3GQM3NP7', 'canceled', 'standard', 'monthly', 'AUD', '2026-03-01 12:00:00+00:00', '2026-04-01 12:00:00+00:00', NULL, 'in_LPZA24ZGNZ6RNCFI7RTCUGTZS4', 'pi_HK32IBWNXUBZIJBDLPH2R7EMEB', 'succeeded', NULL, NULL, 'paid', 3900, 'AUD', '2026-03-01 12:00:00+00:00', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'op_wjwgij5n2p3luuf6edho2oazir-1', '2026-03-01 12:00:00+00:00', '2026-04-01 12:00:00+00:00', NULL, NULL, NULL, NULL, NULL, NULL, 3900, 3900, 0, 3900, 3900, NULL, NULL, NULL);
INSERT INTO subscriptions VALUES ('sub_ISMI3V2J5AFQABE2LKE3TX4L5K', 'org_kukw3zc4kseup6uvu4kuffg32r', 0, 'cus_KLXZJG2LMWP4VF3U6QTKYW7OGT', 'past_due', 'standard', 'monthly', 'AUD', '2026-03-26 12:00:00+00:00', '2026-05-02 12:00:00+00:00', '2026-04-02 12:00:00+00:00', 'in_SK5NPOXILBH4I5WTKW6VLBHMIP', 'pi_VZSPAPLYYPF4ZNCLNOCSYUFSBU', 'requires_payment_method', NULL, NULL, 'open', 3900, 'AUD', '2026-04-02 12:00:00+00:00', '2026-04-05 12:00:00+00:00', '{"kind":"new_payment_method","invoice":"in_SK5NPOXILBH4I5WTKW6VLBHMIP","reason":"Your card was declined."}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'op_kpsg7habpq4fgzy7zp4vvca7xf-1', '2026-04-02 12:00:00+00:00', NULL, '2026-04-17 12:00:00+00:00', NULL, NULL, NULL, NULL, NULL, 0, 3900, 0, 3900, 3900, NULL, NULL, NULL);
INSERT INTO subscriptions VALUES ('sub_QWKBQFJ3LC2TQPLKGCZH7VDMKE', 'org_uarawgerlwil76hsqvvfreb4l2', 0, 'cus_Q3WZWCBZPT4KORYVKACR6IQA6D', 'trialing', 'standard', 'monthly', 'AUD', '2026-03-31 12:00:00+00:00', '2026-04-07 12:00:00+00:00', '2026-04-07 12:00:00+00:00', 'in_SBJG5HJUYYKHSBGXO5IYLZS22J', NULL, NULL, NULL, NULL, 'paid', 0, 'AUD', '2026-03-31 12:00:00+00:00', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'op_vppvi3ictloqoov5dfwz74mqxx-1', '2026-03-31 12:00:00+00:00', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, 0, 0, 3900, 3900, NULL, NULL, NULL);
INSERT INTO operations VALUES ('op_wob3b2slcpbfpbo4jtyoxwvawy', 'org_qgr5mq7iu62kdr5bxzii6zbjoe', 'customer', 'b6c45863875e34487ca3c155ed145efe12a74581e27befec5aa661b8ee8ca6dd', '2026-03-01 12:00:00+00:00', '2026-03-01 12:00:00+00:00', 'cus_5KXKU3SEHLC2T66GMSMOA4LXYM', '', '2026-03-01 12:00:00+00:00');
INSERT INTO operations VALUES ('op_umc5wixtw4vein7r7qvkxb7nfc', 'org_c24duotsdo5q5ewpyh7xg5vku4', 'customer', 'b6c45863875e34487ca3c155ed145efe12a74581e27befec5aa661b8ee8ca6dd', '2026-03-01 12:00:00+00:00', '2026-03-01 12:00:00+00:00', 'cus_RV5IBZ55JKJT4B72NB3GQM3NP7', '', '2026-03-01 12:00:00+00:00');
INSERT INTO operations VALUES ('op_wergz6ixy35mjkqel4s6xqpib3', 'org_qgr5mq7iu62kdr5bxzii6zbjoe', 'subscription', '2adffa170ad7730c4127c807f52e9bea96293a707d4051fba96d180522b97bce', '2026-03-01 12:00:00+00:00', '2026-03-01 12:00:00+00:00', 'sub_7RZ7YNVIIK7Y5R4ZL7NUP4MBAF', '', '2026-03-01 12:00:00+00:00');
INSERT INTO operations VALUES ('op_wjwgij5n2p3luuf6edho2oazir', 'org_c24duotsdo5q5ewpyh7xg5vku4', 'subscription', '91e7711278b641b98ab1f9e7f86e00ebca87275b75f17f96f68c9dabd1cfc47d', '2026-03-01 12:00:00+00:00', '2026-03-01 12:00:00+00:00', 'sub_VMM4MOKS46OBJNV6N3C2LZHJNI', '', '2026-03-01 12:00:00+00:00');
INSERT INTO operations VALUES ('op_2xwrlkookrmdfnq65wz5qxqfj6', 'org_c24duotsdo5q5ewpyh7xg5vku4', 'subscription', '361e48d0308f20e32dba5fb56328baf18d72ef0ccb43b84f5c262d2a6a1fc6c8', '2026-03-01 12:00:00+00:00', '2026-03-01 12:00:00+00:00', '', '', '2026-03-01 12:00:00+00:00');
INSERT INTO operations VALUES ('op_ul6k7hdrdhypovx2qvyyj5dhkk', 'org_kukw3zc4kseup6uvu4kuffg32r', 'customer', 'b6c45863875e34487ca3c155ed145efe12a74581e27befec5aa661b8ee8ca6dd', '2026-03-26 12:00:00+00:00', '2026-03-26 12:00:00+00:00', 'cus_KLXZJG2LMWP4VF3U6QTKYW7OGT', '', '2026-03-26 12:00:00+00:00');
INSERT INTO operations VALUES ('op_kpsg7habpq4fgzy7zp4vvca7xf', 'org_kukw3zc4kseup6uvu4kuffg32r', 'subscription', 'acb19a243b156931dce037ac28a48d180fa0968d207021853de3e094f51708fa', '2026-03-26 12:00:00+00:00', '2026-03-26 12:00:00+00:00', 'sub_ISMI3V2J5AFQABE2LKE3TX4L5K', '', '2026-03-26 12:00:00+00:00');
INSERT INTO operations VALUES ('op_vsk72mhkmkpbfjam2x443i7txu', 'org_uarawgerlwil76hsqvvfreb4l2', 'customer', 'b6c45863875e34487ca3c155ed145efe12a74581e27befec5aa661b8ee8ca6dd', '2026-03-31 12:00:00+00:00', '2026-03-31 12:00:00+00:00', 'cus_Q3WZWCBZPT4KORYVKACR6IQA6D', '', '2026-03-31 12:00:00+00:00');
INSERT INTO operations VALUES ('op_vppvi3ictloqoov5dfwz74mqxx', 'org_uarawgerlwil76hsqvvfreb4l2', 'subscription', '90dea22f0dd85951b20c7a9c9e4af461e86be8514c0ddf9e8e0a95bc89ee3aaf', '2026-03-31 12:00:00+00:00', '2026-03-31 12:00:00+00:00', 'sub_QWKBQFJ3LC2TQPLKGCZH7VDMKE', '', '2026-03-31 12:00:00+00:00');
INSERT INTO events VALUES ('evt_ZNR36ZLBO7APGO6FEZPKUCTGBD', 'payment_method.attached', '2026-03-01 12:00:00+00:00');
INSERT INTO events VALUES ('evt_ALBHML3HTMKCSPMCKAFE3UFPOJ', 'customer.updated', '2026-03-01 12:00:00+00:00');
INSERT INTO events VALUES ('evt_RMU5DGNXSP7V5MUTUPH7MUP4QK', 'customer.updated', '2026-03-01 12:00:00+00:00');
INSERT INTO events VALUES ('evt_7XOE5FFLIJWRV2JDN27ZO4OLCA', 'customer.subscription.created', '2026-03-01 12:00:00+00:00');
INSERT INTO events VALUES ('evt_B5V6N5BDWLQTOSHT4HQDJP5XSD', 'invoice.paid', '2026-03-01 12:00:00+00:00');
INSERT INTO events VALUES ('evt_2ND66PSE5FBZBDRJQH5E2IURJ5', 'customer.subscription.updated', '2026-03-01 12:00:00+00:00');
INSERT INTO events VALUES ('evt_ONKIURWDVX5F6NOANKBQ2IYPUJ', 'payment_method.attached', '2026-03-01 12:00:00+00:00');
INSERT INTO events VALUES ('evt_42LMXGNHFFNNF5G3MPNDJQCPBR', 'customer.updated', '2026-03-01 12:00:00+00:00');
INSERT INTO events VALUES ('evt_4KMFYYQU2B5RYVSTUQPPWA4OO5', 'customer.updated', '2026-03-01 12:00:00+00:00');
INSERT INTO events VALUES ('evt_BB54PBFYVSP5TUSLUWOSAKUCWX', 'customer.subscription.created', '2026-03-01 12:00:00+00:00');
INSERT INTO events VALUES ('evt_KWJ3SCZVJ5UBNAQYU4TM6YU75O', 'invoice.paid', '2026-03-01 12:00:00+00:00');
INSERT INTO events VALUES ('evt_46F7R66J3Q4KZ7ZEPVGVYQGQ7S', 'customer.subscription.updated', '2026-03-01 12:00:00+00:00');
INSERT INTO events VALUES ('evt_GTHUPCMFMMOAHJMA4KIKXL2JHU', 'charge.refunded', '2026-03-01 12:00:00+00:00');
INSERT INTO events VALUES ('evt_A34WFE4HWOXNM6B7EVOI5MSY25', 'customer.subscription.updated', '2026-03-02 12:00:00+00:00');
INSERT INTO events VALUES ('evt_ZYXFNVR7KKHZI53B7BZE6HEDVL', 'payment_method.attached', '2026-03-27 12:00:00+00:00');
INSERT INTO events VALUES ('evt_5YXNX6TNNJZ7A6MFXVQTN4MA4T', 'customer.updated', '2026-03-27 12:00:00+00:00');
INSERT INTO events VALUES ('evt_UO6XEMQWBSP2N4O63WGSGPYLLT', 'customer.updated', '2026-03-27 12:00:00+00:00');
INSERT INTO events VALUES ('evt_MH5YZHJPPWVZTJHYB3KDHZOCID', 'customer.subscription.created', '2026-03-27 12:00:00+00:00');
INSERT INTO events VALUES ('evt_D4QLYSG3F54Q5ORMCVVDA3X5UH', 'invoice.paid', '2026-03-27 12:00:00+00:00');
INSERT INTO events VALUES ('evt_TLN4H33U5GLUNTWG7ZWOA3HO4V', 'payment_method.attached', '2026-04-01 12:00:00+00:00');
INSERT INTO events VALUES ('evt_P5Q2VINVNHCWUGLXUQ7AJB743L', 'customer.updated', '2026-04-01 12:00:00+00:00');
INSERT INTO events VALUES ('evt_WXBEJDYOKTPT7P6KZ4AAJJC6T7', 'customer.updated', '2026-04-01 12:00:00+00:00');
INSERT INTO events VALUES ('evt_IELBPP42NVD6NQJK5DF3O36LQI', 'customer.subscription.created', '2026-04-01 12:00:00+00:00');
INSERT INTO events VALUES ('evt_2KOFQYH53INAYRFGXWKNFSMHVO', 'invoice.paid', '2026-04-01 12:00:00+00:00');
INSERT INTO events VALUES ('evt_F6MLKQ5HAATTOFIUV3QGDILLM2', 'customer.subscription.updated', '2026-04-01 12:00:00+00:00');
INSERT INTO events VALUES ('evt_P7A34FDOGJBELQ4DFY7Z3RZ3WL', 'invoice.paid', '2026-04-01 12:00:00+00:00');
INSERT INTO events VALUES ('evt_UZS6JSHUIYCBT4F4KQXFJ5MUFA', 'customer.subscription.deleted', '2026-04-01 12:00:00+00:00');
INSERT INTO events VALUES ('evt_M23SWSYW5WHTW6AZWLBY5OW65R', 'customer.subscription.updated', '2026-04-02 12:00:00+00:00');
INSERT INTO events VALUES ('evt_6LH6ZOTMTSHCITH62BXY6KDMSD', 'customer.subscription.updated', '2026-04-02 12:00:00+00:00');
INSERT INTO events VALUES ('evt_4DOJ3QYPDJHSU326ZDNEKQEKOU', 'invoice.payment_failed', '2026-04-02 12:00:00+00:00');
INSERT INTO invoices VALUES ('org_qgr5mq7iu62kdr5bxzii6zbjoe', 'in_MK7RDHV7OLWZI7LA7LJV7GLTRL', 'sub_7RZ7YNVIIK7Y5R4ZL7NUP4MBAF', 'MOA4LXYM-0001', 'paid', 'AUD', 3900, 355, 3900, 3900, 'Standard', '2026-03-01 12:00:00+00:00', NULL, '2026-03-01 12:00:00+00:00', NULL, 0, 1000, 0, 'Australia/Sydney');
INSERT INTO invoices VALUES ('org_c24duotsdo5q5ewpyh7xg5vku4', 'in_LPZA24ZGNZ6RNCFI7RTCUGTZS4', 'sub_VMM4MOKS46OBJNV6N3C2LZHJNI', '3GQM3NP7-0001', 'paid', 'AUD', 3900, 355, 3900, 3900, 'Standard', '2026-03-01 12:00:00+00:00', NULL, '2026-03-01 12:00:00+00:00', NULL, 0, 0, 0, 'Australia/Sydney');
INSERT INTO invoices VALUES ('org_kukw3zc4kseup6uvu4kuffg32r', 'in_G5XXPIQ6YIXBAT3ABLWTNLWU5Z', 'sub_ISMI3V2J5AFQABE2LKE3TX4L5K', 'TKYW7OGT-0001', 'paid', 'AUD', 0, 0, 0, 0, 'Free trial of Standard', '2026-03-26 12:00:00+00:00', NULL, '2026-03-26 12:00:00+00:00', NULL, 0, 0, 0, 'Australia/Sydney');
INSERT INTO invoices VALUES ('org_uarawgerlwil76hsqvvfreb4l2', 'in_SBJG5HJUYYKHSBGXO5IYLZS22J', 'sub_QWKBQFJ3LC2TQPLKGCZH7VDMKE', 'CR6IQA6D-0001', 'paid', 'AUD', 0, 0, 0, 0, 'Free trial of Standard', '2026-03-31 12:00:00+00:00', NULL, '2026-03-31 12:00:00+00:00', NULL, 0, 0, 0, 'Australia/Sydney');
INSERT INTO invoices VALUES ('org_qgr5mq7iu62kdr5bxzii6zbjoe', 'in_WY5P6RFQBSYDIGVLK3GLQPAWHA', 'sub_7RZ7YNVIIK7Y5R4ZL7NUP4MBAF', 'MOA4LXYM-0002', 'paid', 'AUD', 3900, 355, 3900, 3900, 'Standard', '2026-04-01 12:00:00+00:00', NULL, '2026-04-01 12:00:00+00:00', NULL, 0, 0, 0, 'Australia/Sydney');
INSERT INTO invoices VALUES ('org_kukw3zc4kseup6uvu4kuffg32r', 'in_SK5NPOXILBH4I5WTKW6VLBHMIP', 'sub_ISMI3V2J5AFQABE2LKE3TX4L5K', 'TKYW7OGT-0002', 'open', 'AUD', 3900, 355, 3900, 0, 'Standard', '2026-04-02 12:00:00+00:00', NULL, NULL, '2026-04-05 12:00:00+00:00', 0, 0, 0, 'Australia/Sydney');
PRAGMA user_version = 0;
PRAGMA application_id = 0;
