-- +goose Up

-- An operation carries the complete list of its requests to the payment provider, as JSON. Its age
-- is counted by the database's clock; operations begun by an earlier version have only created_at.
ALTER TABLE operations ADD COLUMN steps TEXT NOT NULL DEFAULT '';
ALTER TABLE operations ADD COLUMN began_at TIMESTAMP;

-- The key of the request that started a subscription.
ALTER TABLE subscriptions ADD COLUMN made_by TEXT;
