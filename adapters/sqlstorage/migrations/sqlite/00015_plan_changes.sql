-- +goose Up

ALTER TABLE subscriptions ADD COLUMN period_start TIMESTAMP;
ALTER TABLE subscriptions ADD COLUMN ends_at TIMESTAMP;
ALTER TABLE subscriptions ADD COLUMN plan_ends_at TIMESTAMP;
ALTER TABLE subscriptions ADD COLUMN scheduled_product TEXT;
ALTER TABLE subscriptions ADD COLUMN scheduled_interval TEXT;
ALTER TABLE subscriptions ADD COLUMN scheduled_currency TEXT;
ALTER TABLE subscriptions ADD COLUMN scheduled_at TIMESTAMP;
ALTER TABLE subscriptions ADD COLUMN hold TEXT;

-- When an overdue bill was last voided because its subscription was ended, that subscription, and the
-- subscription that was ended with a bill that is still owed.
ALTER TABLE organisations ADD COLUMN bill_voided_at TIMESTAMP;
ALTER TABLE organisations ADD COLUMN bill_voided_for TEXT;
ALTER TABLE organisations ADD COLUMN bill_owed_for TEXT;

-- The reasons that customers gave when they ended their subscriptions.
CREATE TABLE endings (
    organisation_id TEXT      NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
    subscription_id TEXT      NOT NULL,
    requested_at    TIMESTAMP NOT NULL,
    reason          TEXT      NOT NULL,
    comment         TEXT      NOT NULL,
    PRIMARY KEY (organisation_id, subscription_id)
);
