-- +goose Up

-- steps are the operation's requests to the payment provider, as JSON. began_at is by the database's clock;
-- operations of an earlier version have only created_at.
ALTER TABLE operations ADD COLUMN steps text NOT NULL DEFAULT '';
ALTER TABLE operations ADD COLUMN began_at timestamptz;

-- The key of the request that started a subscription.
ALTER TABLE subscriptions ADD COLUMN made_by text;
