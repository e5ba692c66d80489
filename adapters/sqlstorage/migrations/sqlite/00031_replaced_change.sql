-- +goose Up

-- The scheduled change that a pending change replaces, as JSON. NULL if it replaces none.
ALTER TABLE subscriptions ADD COLUMN pending_replaces TEXT;
