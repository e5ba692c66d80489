-- +goose Up

-- Leases for work that one server does at a time. token increases whenever a server takes the lease.
CREATE TABLE leases (
    name       text        COLLATE "C" NOT NULL PRIMARY KEY,
    token      bigint      NOT NULL,
    expires_at timestamptz NOT NULL
);
