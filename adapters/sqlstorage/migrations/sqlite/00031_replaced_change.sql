-- +goose Up

-- The scheduled change that a pending change replaces, as JSON. NULL without one.
ALTER TABLE subscriptions ADD COLUMN pending_replaces TEXT;
