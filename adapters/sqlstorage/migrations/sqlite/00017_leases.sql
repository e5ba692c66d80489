-- +goose Up

-- Leases for work that one server does at a time. token increases whenever a server takes the lease.
CREATE TABLE leases (
    name       TEXT      NOT NULL PRIMARY KEY,
    token      BIGINT    NOT NULL,
    expires_at TIMESTAMP NOT NULL
);
