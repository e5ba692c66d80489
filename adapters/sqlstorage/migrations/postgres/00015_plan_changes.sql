-- +goose Up

ALTER TABLE subscriptions ADD COLUMN period_start timestamptz;
ALTER TABLE subscriptions ADD COLUMN ends_at timestamptz;
ALTER TABLE subscriptions ADD COLUMN plan_ends_at timestamptz;
ALTER TABLE subscriptions ADD COLUMN scheduled_product text COLLATE "C";
ALTER TABLE subscriptions ADD COLUMN scheduled_interval text COLLATE "C";
ALTER TABLE subscriptions ADD COLUMN scheduled_currency text COLLATE "C";
ALTER TABLE subscriptions ADD COLUMN scheduled_at timestamptz;
ALTER TABLE subscriptions ADD COLUMN hold text COLLATE "C";

-- bill_voided_at is the time at which an overdue invoice was last voided because its subscription ended, and
-- bill_voided_for is that subscription. bill_owed_for is the subscription that ended with an invoice that is still owed.
ALTER TABLE organisations ADD COLUMN bill_voided_at timestamptz;
ALTER TABLE organisations ADD COLUMN bill_voided_for text COLLATE "C";
ALTER TABLE organisations ADD COLUMN bill_owed_for text COLLATE "C";

-- The reasons that customers gave when they ended their subscriptions.
CREATE TABLE endings (
    organisation_id text COLLATE "C" NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
    subscription_id text COLLATE "C" NOT NULL,
    requested_at    timestamptz      NOT NULL,
    reason          text COLLATE "C" NOT NULL,
    comment         text COLLATE "C" NOT NULL,
    PRIMARY KEY (organisation_id, subscription_id)
);
