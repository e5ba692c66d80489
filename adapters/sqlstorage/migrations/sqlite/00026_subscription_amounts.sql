-- +goose Up

-- What one period costs at the subscription's own price, what the next invoice totals, and what one period costs after
-- the scheduled change, in minor units of currency. NULL until the next sync.
ALTER TABLE subscriptions ADD COLUMN amount BIGINT;
ALTER TABLE subscriptions ADD COLUMN renewal_amount BIGINT;
ALTER TABLE subscriptions ADD COLUMN scheduled_amount BIGINT;
