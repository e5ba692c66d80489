-- +goose Up

-- The audit log of operators. Rows are only added.
CREATE TABLE operator_actions (
    id              TEXT      PRIMARY KEY,
    organisation_id TEXT      NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
    at              TIMESTAMP NOT NULL,
    operator        TEXT      NOT NULL,
    kind            TEXT      NOT NULL,
    reason          TEXT      NOT NULL
);
CREATE INDEX operator_actions_of_organisation ON operator_actions (organisation_id, at, id);

-- The index is partial, because few subscriptions are on hold.
CREATE INDEX subscriptions_on_hold ON subscriptions (organisation_id) WHERE hold IS NOT NULL;
