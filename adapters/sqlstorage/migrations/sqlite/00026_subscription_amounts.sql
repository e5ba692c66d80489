-- +goose Up

-- The price of one period, the total of the next invoice, and the price of one period after the scheduled change, in
-- minor units of currency. NULL until the next sync.
ALTER TABLE subscriptions ADD COLUMN amount BIGINT;
ALTER TABLE subscriptions ADD COLUMN renewal_amount BIGINT;
ALTER TABLE subscriptions ADD COLUMN scheduled_amount BIGINT;
