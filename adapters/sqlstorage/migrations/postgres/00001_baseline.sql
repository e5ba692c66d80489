-- +goose Up

-- Texts in indexes have the collation C: the application folds names before it stores them, and an upgrade of the
-- system's collations can't corrupt these indexes. Times are UTC. A document is the JSON of a domain value; what a query
-- needs of it has a column of its own.

-- Accounts ------------------------------------------------------------------------------------------------------------

-- Organisations with the data that the application has of their billing. dev_license_id is NULL without a developer
-- license. details is the JSON of the billing details, '' until they are edited.
CREATE TABLE organisations (
    id              text        COLLATE "C" NOT NULL PRIMARY KEY,
    name            text        NOT NULL,
    name_key        text        COLLATE "C" NOT NULL,
    contact_email   text        NOT NULL,
    member_emails   text        NOT NULL, -- of owners and members for billing, separated by spaces
    phone           text        NOT NULL,
    line1           text        NOT NULL,
    line2           text        NOT NULL,
    city            text        NOT NULL,
    state           text        NOT NULL,
    postal_code     text        NOT NULL,
    country         text        NOT NULL,
    currency        text        NOT NULL,
    choice_product  text        NOT NULL,
    choice_interval text        NOT NULL,
    created_at      timestamptz NOT NULL,
    verified_at     timestamptz, -- of the first user

    details         text        NOT NULL,
    details_sent_to text        NOT NULL, -- the provider's customer that has the details, '' for none
    sent_contact_email text     NOT NULL, -- the contact_email that the provider's customer got last, '' for none

    customer_id      text        COLLATE "C", -- at the payment provider
    billing_currency text        NOT NULL,    -- fixed by the first subscription
    trial_used_at    timestamptz,
    revision         bigint      NOT NULL,    -- increases with each change of the billing data
    check_at         timestamptz,             -- when the provider's data is read even if no event arrives
    check_claimed_until timestamptz,          -- on the database's clock

    voided_invoice_at              timestamptz, -- when an overdue invoice was last voided with its subscription
    voided_invoice_subscription_id text,
    transfer_reported_at           timestamptz, -- when the customer last reported to have paid an invoice by bank transfer
    transfer_reported_invoice_id   text,
    owing_subscription_id          text,        -- the ended subscription whose invoice is still owed

    dev_license_id                 text,
    dev_license_product            text NOT NULL,
    dev_license_interval           text NOT NULL,
    dev_license_currency           text NOT NULL,
    dev_license_status             text NOT NULL,
    dev_license_current_period_end timestamptz,
    dev_license_trial_end          timestamptz
);

-- Only a verified registration reserves its name.
CREATE UNIQUE INDEX organisations_one_verified_per_name ON organisations (name_key) WHERE verified_at IS NOT NULL;
CREATE INDEX organisations_by_name ON organisations (name_key);
CREATE UNIQUE INDEX organisations_one_per_customer ON organisations (customer_id);
CREATE INDEX organisations_by_check ON organisations (check_at, id) WHERE check_at IS NOT NULL;

-- verified_at is NULL until the email address is verified. replaced_at is set in an unverified registration that was
-- corrected by another one.
CREATE TABLE users (
    id               text        COLLATE "C" NOT NULL PRIMARY KEY,
    first_name       text        NOT NULL,
    last_name        text        NOT NULL,
    phone            text        NOT NULL DEFAULT '',
    email            text        NOT NULL,
    email_key        text        COLLATE "C" NOT NULL,
    password_hash    text        NOT NULL,
    verified_at      timestamptz,
    created_at       timestamptz NOT NULL,
    first_sign_in_at timestamptz,
    replaced_at      timestamptz,

    security_revision bigint      NOT NULL, -- increases with each change of what the user signs in with
    two_step_since    timestamptz,          -- NULL unless the password needs a second factor
    wrong_codes       integer     NOT NULL, -- consecutive ones from unknown browsers
    wrong_codes_known integer     NOT NULL  -- consecutive ones from known browsers
);

-- Only a verified registration reserves its address.
CREATE UNIQUE INDEX users_one_verified_per_email ON users (email_key) WHERE verified_at IS NOT NULL;
CREATE INDEX users_by_email ON users (email_key, (verified_at IS NULL), created_at DESC) WHERE replaced_at IS NULL;
-- Finds expired registrations.
CREATE INDEX users_unverified ON users (created_at) WHERE verified_at IS NULL;

-- The organisations of users. Deleting a user or an organisation deletes its memberships, and those their sessions.
CREATE TABLE memberships (
    user_id         text        COLLATE "C" NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    organisation_id text        COLLATE "C" NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
    role            text        NOT NULL,
    joined_at       timestamptz NOT NULL,
    last_used_at    timestamptz NOT NULL,
    PRIMARY KEY (user_id, organisation_id)
);

CREATE INDEX memberships_of_organisation ON memberships (organisation_id);
CREATE INDEX memberships_by_last_use ON memberships (user_id, last_used_at DESC, organisation_id);

-- Invitations to organisations. There is no user before an invitation is accepted.
CREATE TABLE invitations (
    id              text        COLLATE "C" NOT NULL PRIMARY KEY,
    organisation_id text        COLLATE "C" NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
    email           text        NOT NULL,
    role            text        NOT NULL,
    token_hash      text        COLLATE "C" NOT NULL UNIQUE,
    inviter_id      text        COLLATE "C" NOT NULL,
    expires_at      timestamptz NOT NULL
);

CREATE INDEX invitations_of_organisation ON invitations (organisation_id);
CREATE INDEX invitations_by_expiry ON invitations (expires_at);

-- The links that verify a registration.
CREATE TABLE verifications (
    token_hash text        COLLATE "C" NOT NULL PRIMARY KEY,
    user_id    text        COLLATE "C" NOT NULL REFERENCES users (id),
    expires_at timestamptz NOT NULL
);

CREATE INDEX verifications_of_user ON verifications (user_id);
CREATE INDEX verifications_by_expiry ON verifications (expires_at);

-- The links that set a new password.
CREATE TABLE password_resets (
    token_hash text        COLLATE "C" NOT NULL PRIMARY KEY,
    user_id    text        COLLATE "C" NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    expires_at timestamptz NOT NULL
);

CREATE INDEX password_resets_of_user ON password_resets (user_id);
CREATE INDEX password_resets_by_expiry ON password_resets (expires_at);

-- What users have to prove who they are: authenticator apps and passkeys. secret is that of an app in base32, and last_step
-- that of its last code that was accepted. credential_id is that of a passkey, NULL for an app; passkey is its JSON.
CREATE TABLE authenticators (
    id           text        COLLATE "C" NOT NULL PRIMARY KEY,
    user_id      text        COLLATE "C" NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    kind         text        NOT NULL,
    name         text        NOT NULL,
    created_at   timestamptz NOT NULL,
    last_used_at timestamptz,
    secret       text        NOT NULL,
    last_step    bigint      NOT NULL,
    credential_id text       COLLATE "C",
    passkey      text        NOT NULL
);

CREATE UNIQUE INDEX authenticators_one_per_passkey ON authenticators (credential_id);

CREATE INDEX authenticators_of_user ON authenticators (user_id, created_at, id);

-- The hashes of the unused recovery codes.
CREATE TABLE recovery_codes (
    user_id   text COLLATE "C" NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    code_hash text COLLATE "C" NOT NULL,
    PRIMARY KEY (user_id, code_hash)
);

-- The links that change the email address of a user. A user has at most one.
CREATE TABLE email_changes (
    user_id    text        NOT NULL PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    token_hash text        NOT NULL UNIQUE,
    email      text        NOT NULL,
    expires_at timestamptz NOT NULL
);

CREATE INDEX email_changes_by_expiry ON email_changes (expires_at);

-- The links that undo a change of what a user signs in with. email is the address that the link restores, and revision the
-- security revision of the user when the link was made.
CREATE TABLE undos (
    token_hash text        NOT NULL PRIMARY KEY,
    user_id    text        NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    email      text        NOT NULL,
    revision   bigint      NOT NULL,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL
);

CREATE INDEX undos_of_user ON undos (user_id);
CREATE INDEX undos_by_expiry ON undos (expires_at);

-- The hashes of the challenges of passkeys that were used.
CREATE TABLE used_challenges (
    hash       text        COLLATE "C" NOT NULL PRIMARY KEY,
    expires_at timestamptz NOT NULL
);

CREATE INDEX used_challenges_by_expiry ON used_challenges (expires_at);

-- The links that confirm a billing email, which organisations.details has until then as unconfirmed.
CREATE TABLE email_confirmations (
    token_hash      text        COLLATE "C" NOT NULL PRIMARY KEY,
    organisation_id text        COLLATE "C" NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
    email           text        NOT NULL,
    expires_at      timestamptz NOT NULL
);

CREATE INDEX email_confirmations_of_organisation ON email_confirmations (organisation_id);
CREATE INDEX email_confirmations_by_expiry ON email_confirmations (expires_at);

-- token_hash is the hash of the token in the cookie; id names the session in lists and gives no access. methods are
-- separated by spaces. expires_at is a time of the database's clock.
CREATE TABLE sessions (
    token_hash       text        COLLATE "C" NOT NULL PRIMARY KEY,
    id               text        COLLATE "C" NOT NULL,
    user_id          text        COLLATE "C" NOT NULL,
    organisation_id  text        COLLATE "C" NOT NULL,
    methods          text        NOT NULL,
    authenticated_at timestamptz NOT NULL,
    created_at       timestamptz NOT NULL,
    last_used_at     timestamptz NOT NULL,
    expires_at       timestamptz NOT NULL,
    device           text        NOT NULL,
    FOREIGN KEY (user_id, organisation_id) REFERENCES memberships (user_id, organisation_id) ON DELETE CASCADE
);

CREATE INDEX sessions_by_expiry ON sessions (expires_at);
CREATE INDEX sessions_of_member ON sessions (user_id, organisation_id);

-- Billing -------------------------------------------------------------------------------------------------------------

-- The copy of the provider's subscriptions. position numbers those of an organisation, from 0 for the oldest. hold is
-- NULL without a disputed payment.
CREATE TABLE subscriptions (
    id              text    COLLATE "C" NOT NULL PRIMARY KEY,
    organisation_id text    COLLATE "C" NOT NULL REFERENCES organisations (id),
    position        integer NOT NULL,
    status          text    COLLATE "C" NOT NULL,
    hold            text,
    document        text    NOT NULL
);

CREATE INDEX subscriptions_of_organisation ON subscriptions (organisation_id, position);
CREATE UNIQUE INDEX subscriptions_one_live ON subscriptions (organisation_id)
    WHERE status IN ('trialing', 'active', 'past_due');
CREATE INDEX subscriptions_on_hold ON subscriptions (organisation_id) WHERE hold IS NOT NULL;
CREATE INDEX subscriptions_overdue ON subscriptions (organisation_id) WHERE status = 'past_due';

-- The copy of the provider's invoices, without their lines.
CREATE TABLE invoices (
    organisation_id text        COLLATE "C" NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
    id              text        COLLATE "C" NOT NULL,
    created_at      timestamptz,
    document        text        NOT NULL,
    PRIMARY KEY (organisation_id, id)
);

CREATE INDEX invoices_in_order ON invoices (organisation_id, created_at, id);

-- Requests to the provider that must act once. actions is JSON, '' once the operation is settled. began_at is a time of
-- the database's clock; settled_at is NULL while the operation is pending.
CREATE TABLE operations (
    key             text        COLLATE "C" NOT NULL PRIMARY KEY,
    organisation_id text        COLLATE "C" NOT NULL REFERENCES organisations (id),
    kind            text        COLLATE "C" NOT NULL,
    fingerprint     text        NOT NULL,
    actions         text        NOT NULL,
    entry           text        NOT NULL, -- JSON of the audit log's entry about an operator's request, '' for none or once settled
    created_at      timestamptz NOT NULL,
    began_at        timestamptz NOT NULL,
    settled_at      timestamptz,
    result          text        COLLATE "C" NOT NULL
);

CREATE UNIQUE INDEX operations_one_pending ON operations (organisation_id, kind) WHERE settled_at IS NULL;
CREATE INDEX operations_by_settling ON operations (organisation_id, kind, settled_at, created_at) WHERE result <> '';
CREATE INDEX operations_pending ON operations (created_at, key) WHERE settled_at IS NULL;
CREATE INDEX operations_by_age ON operations (settled_at) WHERE settled_at IS NOT NULL;
-- Finds the operations of a registration that is deleted.
CREATE INDEX operations_of_organisation ON operations (organisation_id);

-- The provider's events that arrived. organisation_id is empty for an event of no organisation, and remains after the
-- organisation was deleted.
CREATE TABLE events (
    id              text        COLLATE "C" NOT NULL PRIMARY KEY,
    type            text        NOT NULL,
    organisation_id text        COLLATE "C" NOT NULL,
    outcome         text        NOT NULL,
    received_at     timestamptz NOT NULL
);

CREATE INDEX events_by_age ON events (received_at);
CREATE INDEX events_of_organisation ON events (organisation_id, received_at, id) WHERE organisation_id <> '';

-- Attempts of the server to charge an invoice with a card. card is a hash that identifies the card.
CREATE TABLE payment_attempts (
    key             text        COLLATE "C" NOT NULL PRIMARY KEY,
    organisation_id text        COLLATE "C" NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
    invoice_id      text        COLLATE "C" NOT NULL,
    card            text        COLLATE "C" NOT NULL,
    attempted_at    timestamptz NOT NULL,
    hard_decline    boolean     NOT NULL
);

CREATE INDEX payment_attempts_of_card ON payment_attempts (organisation_id, invoice_id, card, attempted_at);
CREATE INDEX payment_attempts_attempted_at ON payment_attempts (attempted_at);

-- The reasons that customers gave when they ended their subscriptions.
CREATE TABLE end_feedback (
    organisation_id text        COLLATE "C" NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
    subscription_id text        COLLATE "C" NOT NULL,
    requested_at    timestamptz NOT NULL,
    reason          text        NOT NULL,
    comment         text        NOT NULL,
    PRIMARY KEY (organisation_id, subscription_id)
);

CREATE INDEX end_feedback_comments ON end_feedback (requested_at) WHERE comment <> '';

-- The cards with which trials began. card is a keyed hash of the provider's fingerprint. is_first marks the first claim of a
-- card; its index makes concurrent claims wait for each other.
CREATE TABLE trial_cards (
    card            text COLLATE "C" NOT NULL,
    organisation_id text COLLATE "C" NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
    claimed_at      timestamptz      NOT NULL,
    is_first        boolean          NOT NULL,
    PRIMARY KEY (card, organisation_id)
);

CREATE UNIQUE INDEX trial_cards_one_first ON trial_cards (card) WHERE is_first;
CREATE INDEX trial_cards_of_organisation ON trial_cards (organisation_id);
CREATE INDEX trial_cards_by_age ON trial_cards (claimed_at);

-- Search --------------------------------------------------------------------------------------------------------------

-- The terms with which operators find organisations, folded as in search_terms.go. The terms of an organisation are written
-- in the transaction of each change, and deleted with the organisation.
CREATE TABLE search_terms (
    term            text COLLATE "C" NOT NULL,
    organisation_id text COLLATE "C" NOT NULL,
    kind            text COLLATE "C" NOT NULL,
    PRIMARY KEY (term, organisation_id, kind)
);

CREATE INDEX search_terms_of_organisation ON search_terms (organisation_id, term);

-- Audit log -----------------------------------------------------------------------------------------------------------

-- Who did what; see domain/audit. Rows are only added. organisation_id has no foreign key, because the log remains after an
-- organisation was deleted. data is JSON without personal data.
CREATE TABLE audit (
    id              bigint      NOT NULL GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at              timestamptz NOT NULL,
    class           text        COLLATE "C" NOT NULL,
    organisation_id text        COLLATE "C" NOT NULL,
    actor_kind      text        COLLATE "C" NOT NULL,
    actor           text        COLLATE "C" NOT NULL,
    kind            text        COLLATE "C" NOT NULL,
    subject         text        COLLATE "C" NOT NULL,
    outcome         text        COLLATE "C" NOT NULL,
    data            text        COLLATE "C" NOT NULL,
    cause           text        COLLATE "C" NOT NULL,
    request_id      text        COLLATE "C" NOT NULL
);

CREATE INDEX audit_of_organisation ON audit (organisation_id, id);
CREATE INDEX audit_by_actor ON audit (actor, id);
CREATE INDEX audit_of_request ON audit (request_id) WHERE request_id <> '';
-- An action of an operator has one entry in each organisation, also if its form is sent twice at the same time.
CREATE UNIQUE INDEX audit_of_actions ON audit (cause, organisation_id, kind) WHERE cause <> '' AND kind LIKE 'operator.%';
CREATE INDEX audit_of_failed_emails ON audit (id) WHERE kind = 'email.finished' AND outcome = 'refused';

-- The free texts of operators, which can be erased.
CREATE TABLE audit_notes (
    entry_id bigint NOT NULL PRIMARY KEY REFERENCES audit (id) ON DELETE CASCADE,
    note     text   COLLATE "C" NOT NULL
);

-- The seals of the audit log; see audit.Seal. Rows are only added.
CREATE TABLE audit_seals (
    class     text        COLLATE "C" NOT NULL,
    number    bigint      NOT NULL,
    last_id   bigint      NOT NULL,
    seen_id   bigint      NOT NULL,
    entries   bigint      NOT NULL,
    newest_at timestamptz,
    sealed_at timestamptz NOT NULL,
    hash      text        COLLATE "C" NOT NULL,
    PRIMARY KEY (class, number)
);

-- +goose StatementBegin
CREATE FUNCTION audit_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% of % is refused: the audit log is only added to', TG_OP, TG_TABLE_NAME;
END $$;
-- +goose StatementEnd

-- Rows are kept for 400 days, measured by the newest row, so that a clock that was changed does not permit a deletion.
-- +goose StatementBegin
CREATE FUNCTION audit_refuse_early_delete() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.at > (SELECT at FROM audit ORDER BY id DESC LIMIT 1) - INTERVAL '400 days' THEN
        RAISE EXCEPTION 'entries of the audit log cannot be deleted yet';
    END IF;
    RETURN OLD;
END $$;
-- +goose StatementEnd

CREATE TRIGGER audit_refuse_update BEFORE UPDATE ON audit FOR EACH ROW EXECUTE FUNCTION audit_refuse();
CREATE TRIGGER audit_refuse_delete BEFORE DELETE ON audit FOR EACH ROW EXECUTE FUNCTION audit_refuse_early_delete();
CREATE TRIGGER audit_refuse_truncate BEFORE TRUNCATE ON audit EXECUTE FUNCTION audit_refuse();
CREATE TRIGGER audit_seals_refuse_change BEFORE UPDATE OR DELETE ON audit_seals FOR EACH ROW EXECUTE FUNCTION audit_refuse();
CREATE TRIGGER audit_seals_refuse_truncate BEFORE TRUNCATE ON audit_seals EXECUTE FUNCTION audit_refuse();

-- Privacy -------------------------------------------------------------------------------------------------------------

-- The erasures of organisations that were requested. requested_by is the id of an owner, or the name of an operator. The row
-- is deleted with the organisation.
CREATE TABLE erasures (
    organisation_id text COLLATE "C" NOT NULL PRIMARY KEY REFERENCES organisations (id) ON DELETE CASCADE,
    requested_by    text NOT NULL,
    requested_at    timestamptz NOT NULL,
    due_at          timestamptz NOT NULL
);

-- The invoices of erased organisations, with their addressee as JSON. They are deleted at keep_until.
CREATE TABLE kept_invoices (
    organisation_id text COLLATE "C" NOT NULL,
    id              text COLLATE "C" NOT NULL,
    number          text COLLATE "C" NOT NULL,
    customer_id     text NOT NULL,
    document        text NOT NULL,
    addressee       text NOT NULL,
    keep_until      timestamptz NOT NULL,
    PRIMARY KEY (organisation_id, id)
);

CREATE INDEX kept_invoices_by_number ON kept_invoices (number);
CREATE INDEX kept_invoices_by_age ON kept_invoices (keep_until);

-- Emails --------------------------------------------------------------------------------------------------------------

-- The outbox. An email is not claimed before due_at, nor before claimed_until, which is a time of the database's clock. It
-- is not sent after expires_at. refused_at is when the mail server first refused the recipient for an unclear reason.
-- Emails about an account are for a user and deleted with the
-- registration; those about billing are of a notice. unsubscribe is the link that turns them off, '' for none.
CREATE TABLE emails (
    id                bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    recipient         text        NOT NULL,
    subject           text        NOT NULL,
    text              text        NOT NULL,
    html              text        NOT NULL,
    unsubscribe       text        NOT NULL,
    attempts          integer     NOT NULL,
    created_at        timestamptz NOT NULL,
    due_at            timestamptz NOT NULL,
    claimed_until     timestamptz,
    expires_at        timestamptz,
    refused_at        timestamptz,
    user_id           text        COLLATE "C",
    organisation_id   text        COLLATE "C",
    notice_kind       text,
    notice_subject_id text,
    notice_period     text,
    link_hash         text, -- the token that must be stored when the email is sent
    recipient_id      text COLLATE "C", -- the user who must have recipient_role in the organisation then
    recipient_role    text
);

-- The index has the columns of the query that claims emails, in its order, so that the cost of the query does not depend
-- on the length of the queue. Emails about accounts precede notices.
CREATE INDEX emails_by_urgency ON emails ((notice_kind IS NOT NULL), created_at, id, due_at, claimed_until);
CREATE INDEX emails_in_order ON emails (created_at, id, due_at);
CREATE INDEX emails_of_user ON emails (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX emails_delayed ON emails (created_at, id) WHERE attempts > 0;

-- The emails about billing whose delivery has ended, with the id that they had in the outbox. Operators can send them again for
-- 30 days. Emails about accounts are not kept, because their links act for the recipient.
CREATE TABLE finished_emails (
    id                bigint      NOT NULL PRIMARY KEY,
    organisation_id   text        COLLATE "C" NOT NULL,
    recipient         text        NOT NULL,
    subject           text        NOT NULL,
    text              text        NOT NULL,
    html              text        NOT NULL,
    unsubscribe       text        NOT NULL,
    notice_kind       text        NOT NULL,
    notice_subject_id text        NOT NULL,
    notice_period     text        NOT NULL,
    finished_at       timestamptz NOT NULL
);

CREATE INDEX finished_emails_of_organisation ON finished_emails (organisation_id, id);
CREATE INDEX finished_emails_by_age ON finished_emails (finished_at);

-- The code that a caller tells an operator; see account.CallerCheck. code_hash is '' when no code can be entered.
CREATE TABLE caller_checks (
    organisation_id text        COLLATE "C" NOT NULL PRIMARY KEY REFERENCES organisations (id) ON DELETE CASCADE,
    user_id         text        COLLATE "C" NOT NULL,
    request_key     text        NOT NULL,
    code_hash       text        NOT NULL,
    expires_at      timestamptz NOT NULL,
    failed_tries    integer     NOT NULL,
    sent_count      integer     NOT NULL,
    sent_since      timestamptz NOT NULL
);

CREATE INDEX caller_checks_by_age ON caller_checks (expires_at);

-- Requests for emails to addresses that may be unknown. A request is not claimed before due_at, nor before
-- claimed_until, which is a time of the database's clock. user_id is that of the user with the address who registered in
-- the browser of the request, or empty.
CREATE TABLE email_requests (
    id            bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kind          text        NOT NULL,
    email         text        NOT NULL,
    user_id       text        NOT NULL,
    requested_at  timestamptz NOT NULL,
    due_at        timestamptz NOT NULL,
    claimed_until timestamptz
);

CREATE INDEX email_requests_in_order ON email_requests (requested_at, id, due_at, claimed_until);

-- The notices whose emails were put into the outbox, so that each is sent once. subject_id names the invoice,
-- subscription or change that the notice is about.
CREATE TABLE notices (
    organisation_id text        COLLATE "C" NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
    kind            text        COLLATE "C" NOT NULL,
    subject_id      text        COLLATE "C" NOT NULL,
    period          text        COLLATE "C" NOT NULL,
    queued_at       timestamptz NOT NULL,
    PRIMARY KEY (organisation_id, kind, subject_id, period)
);

-- The kinds of notices that a recipient has turned off.
CREATE TABLE declined_notices (
    organisation_id text COLLATE "C" NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
    email           text COLLATE "C" NOT NULL,
    kind            text COLLATE "C" NOT NULL,
    PRIMARY KEY (organisation_id, email, kind)
);

-- The addresses to which an organisation's emails can't be delivered, until they are confirmed again.
CREATE TABLE unreachable_emails (
    organisation_id text        COLLATE "C" NOT NULL,
    email           text        COLLATE "C" NOT NULL,
    since           timestamptz NOT NULL,
    PRIMARY KEY (email, organisation_id)
);

-- Servers -------------------------------------------------------------------------------------------------------------

-- Keys that all servers on this database share. They are generated at their first use.
CREATE TABLE secrets (
    name  text  COLLATE "C" NOT NULL PRIMARY KEY,
    value bytea NOT NULL
);

-- Leases for work that one server does at a time. token increases whenever a server takes the lease.
CREATE TABLE leases (
    name       text        COLLATE "C" NOT NULL PRIMARY KEY,
    token      bigint      NOT NULL,
    expires_at timestamptz NOT NULL
);

-- The counters of rate limits. used_until is the time, in Unix microseconds, at which all tries of a key are available
-- again. The table is unlogged, because the counters need not survive a crash.
CREATE UNLOGGED TABLE rate_limits (
    key        text   COLLATE "C" NOT NULL PRIMARY KEY,
    used_until bigint NOT NULL
);

CREATE INDEX rate_limits_used_until ON rate_limits (used_until);
