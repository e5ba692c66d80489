-- +goose Up

-- steps are the operation's requests to the payment provider, as JSON. began_at is by the database's clock;
-- operations of an earlier version have only created_at.
ALTER TABLE operations ADD COLUMN steps TEXT NOT NULL DEFAULT '';
ALTER TABLE operations ADD COLUMN began_at TIMESTAMP;

-- The key of the request that started a subscription.
ALTER TABLE subscriptions ADD COLUMN made_by TEXT;
