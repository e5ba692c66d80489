-- +goose Up

CREATE INDEX events_by_age ON events (handled_at);
