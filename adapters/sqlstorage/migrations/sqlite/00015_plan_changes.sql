-- +goose Up

ALTER TABLE subscriptions ADD COLUMN period_start TIMESTAMP;
ALTER TABLE subscriptions ADD COLUMN ends_at TIMESTAMP;
ALTER TABLE subscriptions ADD COLUMN plan_ends_at TIMESTAMP;
ALTER TABLE subscriptions ADD COLUMN scheduled_product TEXT;
ALTER TABLE subscriptions ADD COLUMN scheduled_interval TEXT;
ALTER TABLE subscriptions ADD COLUMN scheduled_currency TEXT;
ALTER TABLE subscriptions ADD COLUMN scheduled_at TIMESTAMP;
ALTER TABLE subscriptions ADD COLUMN hold TEXT;

-- bill_voided_at is the time at which an overdue invoice was last voided because its subscription ended, and
-- bill_voided_for is that subscription. bill_owed_for is the subscription that ended with an invoice that is still owed.
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
