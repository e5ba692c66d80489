// Package seed fills databases with generated organisations for benchmarks and tests. It inserts them with a
// few SQL statements, because a million registrations would take hours.
package seed

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/vc-admin/diy/adapters/sqlstorage"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/money"
)

// batchSize is the number of organisations that a statement inserts. The limit keeps the database's journal small.
const batchSize = 50_000

// Fill inserts organisations into a migrated database that has none. Each organisation has a verified user with a
// password hash that matches no password, a session of the user, an active subscription that is paid for another month,
// the subscription's operations and events, and the terms with which operators find it.
func Fill(ctx context.Context, url string, count int, now time.Time) error {
	store, err := sqlstorage.Open(ctx, url)
	if err != nil {
		return err
	}
	return errors.Join(newDialect(url).fill(ctx, store.Pools()["writes"], count, now), store.Close())
}

// dialect contains statements that differ between the databases.
type dialect struct {
	setUpStatements       []string // disables timeouts and the checks of foreign keys, which the rows satisfy
	maintenanceStatements []string // maintenance that would otherwise run during a measurement
}

func newDialect(url string) dialect {
	if strings.HasPrefix(url, "postgres") {
		return dialect{
			setUpStatements:       []string{"SET session_replication_role = replica", "SET statement_timeout = 0"},
			maintenanceStatements: []string{"VACUUM ANALYSE", "CHECKPOINT"},
		}
	}
	return dialect{setUpStatements: []string{"PRAGMA foreign_keys = OFF"}}
}

// fill uses one connection, because the settings of setUpStatements apply to one connection.
func (d dialect) fill(ctx context.Context, pool *sql.DB, count int, now time.Time) error {
	conn, err := pool.Conn(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }()
	for _, statement := range slices.Concat(d.setUpStatements, insertStatements(count, now), d.maintenanceStatements) {
		if _, err := conn.ExecContext(ctx, statement); err != nil {
			return fmt.Errorf("%s: %w", statement, err)
		}
	}
	return nil
}

// insertStatements returns the statements that insert the organisations.
func insertStatements(count int, now time.Time) []string {
	var statements []string
	for first := 1; first <= count; first += batchSize {
		for _, template := range rowTemplates {
			statements = append(statements, template.insertSQL(first, min(first+batchSize-1, count), now))
		}
	}
	return statements
}

// insertSQL returns a statement that inserts the rows of the organisations from first to last.
func (r rowTemplate) insertSQL(first, last int, now time.Time) string {
	number := fmt.Sprintf("(%d + i)", numberOffset)
	values := strings.NewReplacer(
		"#", number, "@subscription", subscriptionLiteral(number, now),
		"@nextMonth", timeLiteral(now.Add(month)), "@lastMonth", timeLiteral(now.Add(-month)),
	).Replace(r.values)
	return fmt.Sprintf("INSERT INTO %s (%s) WITH RECURSIVE n(i) AS "+
		"(SELECT %d UNION ALL SELECT i + 1 FROM n WHERE i < %d) SELECT %s FROM n",
		r.table, r.columns, first, last, values)
}

const month = 30 * 24 * time.Hour

// timeLiteral returns the SQL of a time that both databases accept.
func timeLiteral(t time.Time) string { return t.UTC().Format("'2006-01-02 15:04:05+00:00'") }

// subscriptionLiteral returns the SQL of the document of an active subscription, whose ids end with the number.
func subscriptionLiteral(number string, now time.Time) string {
	start := now.Add(-month).UTC()
	price, err := money.New(42000, "AUD")
	if err != nil {
		panic(err)
	}
	document, err := json.Marshal(billing.Subscription{
		ID: "sub_#", CustomerID: "cus_#", Status: billing.Active,
		Price:  catalogue.PriceRef{Product: "standard", Interval: catalogue.Yearly, Currency: "AUD"},
		Amount: price, Renewal: price, CreatedAt: start, PeriodStart: start, CurrentPeriodEnd: now.Add(month).UTC(),
		LatestInvoice: &billing.Invoice{ID: "in_#", Payment: &billing.Intent{ID: "pi_#", Status: billing.Succeeded}},
	})
	if err != nil {
		panic(err) // the value is constant except for its times
	}
	return "'" + strings.ReplaceAll(string(document), "#", "' || "+number+" || '") + "'"
}

// OrganisationID returns the id of an organisation. Organisations are numbered from 1. Ids and names have the same length,
// so that they sort by number.
func OrganisationID(i int) string { return "org_" + formatNumber(i) }

// UserID returns the id of the organisation's user.
func UserID(i int) string { return "usr_" + formatNumber(i) }

// UserEmail returns the user's email.
func UserEmail(i int) string { return "user" + formatNumber(i) + "@practice.example" }

// OrganisationName returns the organisation's name.
func OrganisationName(i int) string { return "Practice " + formatNumber(i) }

// InvoiceNumber returns the number of an invoice for which the organisation is found.
func InvoiceNumber(i int) string { return "INV-" + formatNumber(i) + "-0001" }

// LastFour returns the last four digits of a card that the organisation was charged with. Every ten thousandth organisation has
// the same.
func LastFour(i int) string { return formatNumber(i)[4:] }

// CustomerID returns the id of the provider's customer.
func CustomerID(i int) string { return "cus_" + formatNumber(i) }

// numberOffset is added to the numbers in ids and names, so that they have the same length.
const numberOffset = 10_000_000

func formatNumber(i int) string { return strconv.Itoa(numberOffset + i) }

// rowTemplate describes the rows of an organisation in a table. In the values, # is the number of the organisation,
// @subscription the document of its subscription, @lastMonth the time a month ago, and @nextMonth the time in a month.
type rowTemplate struct{ table, columns, values string }

var rowTemplates = []rowTemplate{
	{
		"organisations",
		"id, name, name_key, contact_email, member_emails, phone, line1, line2, city, state, postal_code, country, currency, choice_product, " +
			"choice_interval, created_at, verified_at, customer_id, billing_currency, trial_used_at, revision, dev_license_product, " +
			"dev_license_interval, dev_license_currency, dev_license_status, check_at, details, details_sent_to, sent_contact_email",
		"'org_' || #, 'Practice ' || #, 'practice ' || #, 'user' || # || '@practice.example', 'user' || # || '@practice.example', '+61 2 9000 0000', '1 Long Road', '', " +
			"'Sydney', 'New South Wales', '2000', 'AU', 'AUD', 'standard', 'yearly', @lastMonth, @lastMonth, 'cus_' || #, 'AUD', @lastMonth, 2, '', '', '', '', @nextMonth, '', '', 'user' || # || '@practice.example'",
	},
	{
		"users",
		"id, first_name, last_name, email, email_key, password_hash, verified_at, created_at, security_revision, wrong_codes, wrong_codes_known",
		"'usr_' || #, 'Ann', 'King', 'user' || # || '@practice.example', 'user' || # || '@practice.example', '', @lastMonth, @lastMonth, 0, 0, 0",
	},
	{
		"memberships",
		"user_id, organisation_id, role, joined_at, last_used_at",
		"'usr_' || #, 'org_' || #, 'owner', @lastMonth, @lastMonth",
	},
	{
		"subscriptions",
		"id, organisation_id, position, status, document",
		"'sub_' || #, 'org_' || #, 0, 'active', @subscription",
	},
	{
		"operations",
		"key, organisation_id, kind, fingerprint, actions, entry, created_at, began_at, settled_at, result",
		"'op_customer_' || #, 'org_' || #, 'customer', 'customer', '', '', @lastMonth, @lastMonth, @lastMonth, 'cus_' || #",
	},
	{
		"operations",
		"key, organisation_id, kind, fingerprint, actions, entry, created_at, began_at, settled_at, result",
		"'op_subscription_' || #, 'org_' || #, 'subscription', 'subscribe', '', '', @lastMonth, @lastMonth, @lastMonth, 'sub_' || #",
	},
	{
		"events",
		"id, type, organisation_id, outcome, received_at",
		"'evt_' || #, 'customer.subscription.created', 'org_' || #, 'applied', @lastMonth",
	},
	{
		"sessions",
		"token_hash, id, user_id, organisation_id, methods, authenticated_at, created_at, last_used_at, expires_at, device",
		"'hash_' || #, 'session_' || #, 'usr_' || #, 'org_' || #, 'password', @lastMonth, @lastMonth, @lastMonth, @nextMonth, ''",
	},
	termTemplate("name", "'practice'"),
	termTemplate("name", "'' || #"),
	termTemplate("person", "'ann'"),
	termTemplate("person", "'king'"),
	termTemplate("email", "'user' || # || '@practice.example'"),
	termTemplate("customer", "'cus_' || #"),
	// Those of an invoice, which is not stored.
	termTemplate("invoice", "'inv-' || # || '-0001'"),
	termTemplate("charged", "substr('' || #, 5, 4)"),
}

// termTemplate describes the rows of a search term.
func termTemplate(kind, term string) rowTemplate {
	return rowTemplate{"search_terms", "term, organisation_id, kind", term + ", 'org_' || #, '" + kind + "'"}
}
