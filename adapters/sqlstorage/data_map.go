package sqlstorage

import (
	"slices"
	"strings"
)

// handling states whether an export contains columns and whether an erasure deletes them.
type handling string

const (
	exportedAndErased handling = "exported, erased"
	exportedAndKept   handling = "exported, kept"
	erased            handling = "erased" // not exported
	kept              handling = "kept"   // by law; not exported
	unaffected        handling = "none"   // not about an organisation or a person
)

func (h handling) isExported() bool { return h == exportedAndErased || h == exportedAndKept }

func (h handling) isErased() bool { return h == exportedAndErased || h == erased }

// mappedTable describes how an export and an erasure handle the rows and columns of a table.
type mappedTable struct {
	name string
	// rows is the condition for the rows of an organisation, whose id is the argument; "" if the table has none.
	rows string
	// erasedRows is the condition for the rows that an erasure deletes, if it differs from rows.
	erasedRows string
	columns    []mappedColumns
}

type mappedColumns struct {
	handling handling
	reason   string // why the columns are not exported or not erased; "" if they are exported and erased
	names    string // separated by spaces
}

const (
	ofOrganisation = "organisation_id = ?"
	// ofOwnUsers selects the users who are members of no other organisation. Their accounts end with the organisation.
	ofOwnUsers = `IN (SELECT m.user_id FROM memberships m WHERE m.organisation_id = ? AND NOT EXISTS
		(SELECT 1 FROM memberships o WHERE o.user_id = m.user_id AND o.organisation_id <> m.organisation_id))`
)

// Reasons that several columns share.
const (
	isCredential = "for signing in only"
	isInternal   = "internal state of the application"
	isOfMember   = "of a member, who sees it on the account page"
	isAuditLog   = "proves who did what, and contains no personal data but ids"
	isKeptByLaw  = "accounting records"
	isOfServers  = "data of the servers, not of an organisation"
)

// dataMap lists all columns of the baseline. An erasure deletes the rows in the order of the tables, which follows from the
// foreign keys. The store exports and erases by this map, and docs/privacy.md contains it as a table.
var dataMap = []mappedTable{
	{"audit_notes", "entry_id IN (SELECT id FROM audit WHERE organisation_id = ?)", "", []mappedColumns{
		{erased, "the reasons that operators noted", "entry_id note"},
	}},
	{"audit", ofOrganisation, "", []mappedColumns{
		{exportedAndKept, isAuditLog, "at actor_kind actor kind subject outcome data"},
		{kept, isAuditLog, "id class organisation_id cause request_id"},
	}},
	{"audit_seals", "", "", []mappedColumns{
		{unaffected, isOfServers, "class number last_id seen_id entries newest_at sealed_at hash"},
	}},
	{"emails", ofOrganisation, ofOrganisation + " OR user_id " + ofOwnUsers, []mappedColumns{
		{exportedAndErased, "", "recipient subject created_at notice_kind"},
		{erased, "contains links that act for the recipient", "text html unsubscribe"},
		{erased, isInternal, `id attempts due_at claimed_until expires_at refused_at user_id organisation_id notice_subject_id notice_period
			recipient_id recipient_role`},
		{erased, isCredential, "link_hash"},
	}},
	{"finished_emails", ofOrganisation, "", []mappedColumns{
		{exportedAndErased, "", "recipient subject finished_at notice_kind"},
		{erased, "contains links that act for the recipient", "text html unsubscribe"},
		{erased, isInternal, "id organisation_id notice_subject_id notice_period"},
	}},
	{"caller_checks", ofOrganisation, "", []mappedColumns{
		{erased, isCredential, "code_hash"},
		{erased, "the audit log has the result", "organisation_id user_id request_key expires_at failed_tries sent_count sent_since"},
	}},
	{"email_requests", "user_id " + ofOwnUsers, "", []mappedColumns{
		{erased, "deleted when the email is sent", "id kind email user_id requested_at due_at claimed_until"},
	}},
	{"notices", ofOrganisation, "", []mappedColumns{
		{exportedAndErased, "", "kind subject_id period queued_at"},
		{erased, isInternal, "organisation_id"},
	}},
	{"declined_notices", ofOrganisation, "", []mappedColumns{
		{exportedAndErased, "", "email kind"},
		{erased, isInternal, "organisation_id"},
	}},
	{"unreachable_emails", ofOrganisation, "", []mappedColumns{
		{exportedAndErased, "", "email since"},
		{erased, isInternal, "organisation_id"},
	}},
	{"email_confirmations", ofOrganisation, "", []mappedColumns{
		{exportedAndErased, "", "email expires_at"},
		{erased, isCredential, "token_hash"},
		{erased, isInternal, "organisation_id"},
	}},
	{"invitations", ofOrganisation, "", []mappedColumns{
		{exportedAndErased, "", "email role inviter_id expires_at"},
		{erased, isCredential, "token_hash"},
		{erased, isInternal, "id organisation_id"},
	}},
	{"payment_attempts", ofOrganisation, "", []mappedColumns{
		{exportedAndErased, "", "invoice_id attempted_at hard_decline"},
		{erased, isInternal, "key organisation_id card"},
	}},
	{"end_feedback", ofOrganisation, "", []mappedColumns{
		{exportedAndErased, "", "subscription_id requested_at reason comment"},
		{erased, isInternal, "organisation_id"},
	}},
	{"trial_cards", ofOrganisation, "", []mappedColumns{
		{exportedAndErased, "", "claimed_at"},
		{erased, isInternal, "card organisation_id is_first"},
	}},
	{"search_terms", ofOrganisation, "", []mappedColumns{{erased, "words of exported columns", "term organisation_id kind"}}},
	{"operations", ofOrganisation, "", []mappedColumns{
		{exportedAndErased, "", "kind created_at settled_at result"},
		{erased, isInternal, "key organisation_id fingerprint actions entry began_at"},
	}},
	{"subscriptions", ofOrganisation, "", []mappedColumns{
		{exportedAndErased, "", "id position status hold document"},
		{erased, isInternal, "organisation_id"},
	}},
	{"invoices", ofOrganisation, "", []mappedColumns{
		{exportedAndErased, "", "id created_at document"},
		{erased, isInternal, "organisation_id"},
	}},
	{"kept_invoices", "", "", []mappedColumns{
		{kept, isKeptByLaw, "organisation_id id number customer_id document addressee keep_until"},
	}},
	{"erasures", ofOrganisation, "", []mappedColumns{
		{exportedAndErased, "", "requested_at due_at"},
		{erased, "can be the name of an operator", "requested_by"},
		{erased, isInternal, "organisation_id"},
	}},
	{"verifications", "user_id " + ofOwnUsers, "", []mappedColumns{{erased, isCredential, "token_hash user_id expires_at"}}},
	{"password_resets", "user_id " + ofOwnUsers, "", []mappedColumns{{erased, isCredential, "token_hash user_id expires_at"}}},
	{"authenticators", "user_id " + ofOwnUsers, "", []mappedColumns{
		{erased, isCredential, "secret credential_id passkey last_step"},
		{erased, isOfMember, "id user_id kind name created_at last_used_at"},
	}},
	{"recovery_codes", "user_id " + ofOwnUsers, "", []mappedColumns{{erased, isCredential, "user_id code_hash"}}},
	{"email_changes", "user_id " + ofOwnUsers, "", []mappedColumns{
		{erased, isCredential, "token_hash"},
		{erased, isOfMember, "user_id email expires_at"},
	}},
	{"undos", "user_id " + ofOwnUsers, "", []mappedColumns{
		{erased, isCredential, "token_hash user_id email revision created_at expires_at"},
	}},
	{"sessions", ofOrganisation, "", []mappedColumns{
		{erased, isCredential, "token_hash"},
		{erased, isOfMember, "id user_id organisation_id methods authenticated_at created_at last_used_at expires_at device"},
	}},
	{"users", "id IN (SELECT user_id FROM memberships WHERE organisation_id = ?)", "id " + ofOwnUsers, []mappedColumns{
		{exportedAndErased, "", "id first_name last_name phone email verified_at created_at first_sign_in_at"},
		{erased, isCredential, "password_hash"},
		{erased, isInternal, "email_key replaced_at security_revision two_step_since wrong_codes wrong_codes_known"},
	}},
	{"memberships", ofOrganisation, "", []mappedColumns{
		{exportedAndErased, "", "user_id role joined_at"},
		{erased, isOfMember, "last_used_at"},
		{erased, isInternal, "organisation_id"},
	}},
	{"organisations", "id = ?", "", []mappedColumns{
		{exportedAndErased, "", `id name contact_email phone line1 line2 city state postal_code country currency choice_product
			choice_interval created_at verified_at details customer_id billing_currency trial_used_at voided_invoice_at
			voided_invoice_subscription_id transfer_reported_at transfer_reported_invoice_id owing_subscription_id dev_license_id
			dev_license_product dev_license_interval dev_license_currency dev_license_status dev_license_current_period_end
			dev_license_trial_end`},
		{erased, isInternal, "name_key member_emails details_sent_to sent_contact_email revision check_at check_claimed_until"},
	}},
	{"events", ofOrganisation, "", []mappedColumns{
		{exportedAndErased, "", "type outcome received_at"},
		{erased, isInternal, "id organisation_id"},
	}},
	{"used_challenges", "", "", []mappedColumns{{unaffected, "hashes of random numbers", "hash expires_at"}}},
	{"secrets", "", "", []mappedColumns{{unaffected, isOfServers, "name value"}}},
	{"leases", "", "", []mappedColumns{{unaffected, isOfServers, "name token expires_at"}}},
	{"rate_limits", "", "", []mappedColumns{{unaffected, "counters under hashed keys, which expire", "key used_until"}}},
}

// exportedColumns returns the columns that an export contains.
func (t mappedTable) exportedColumns() (names []string) {
	for _, c := range t.columns {
		if c.handling.isExported() {
			names = append(names, strings.Fields(c.names)...)
		}
	}
	return names
}

// exportSQL returns the query of the rows that an export contains; "" for none.
func (t mappedTable) exportSQL() string {
	columns := t.exportedColumns()
	if len(columns) == 0 || t.rows == "" {
		return ""
	}
	for i, column := range columns {
		if t.name == "audit" && column == "actor" {
			columns[i] = "CASE WHEN actor_kind = 'operator' THEN '' ELSE actor END AS actor"
		}
	}
	return "SELECT " + strings.Join(columns, ", ") + " FROM " + t.name + " WHERE " + t.rows + " ORDER BY " + t.firstColumn()
}

func (t mappedTable) firstColumn() string {
	if t.name == "audit" {
		return "id"
	}
	return "1"
}

// eraseSQL returns the statement that deletes the rows of an organisation; "" if an erasure keeps them.
func (t mappedTable) eraseSQL() string {
	isErased := slices.ContainsFunc(t.columns, func(c mappedColumns) bool { return c.handling.isErased() })
	rows := t.rows
	if t.erasedRows != "" {
		rows = t.erasedRows
	}
	if !isErased || rows == "" {
		return ""
	}
	return "DELETE FROM " + t.name + " WHERE " + rows
}

// eraseArgs returns the arguments of eraseSQL.
func (t mappedTable) eraseArgs(organisationID string) []any {
	args := make([]any, strings.Count(t.eraseSQL(), "?"))
	for i := range args {
		args[i] = organisationID
	}
	return args
}
