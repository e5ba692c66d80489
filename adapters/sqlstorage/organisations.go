package sqlstorage

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/storage"
)

var (
	organisationTable     = newTable[organisationRow]("organisations")
	insertOrganisationSQL = organisationTable.insertSQL()
	updateOrganisationSQL = organisationTable.updateSQL("created_at", "verified_at")
	selectOrganisationSQL = organisationTable.selectSQL("WHERE id = ?")
)

const (
	selectDueCheckSQL = `SELECT id FROM organisations WHERE check_at <= ?
		AND (check_claimed_until IS NULL OR check_claimed_until <= ? OR check_claimed_until > ?) ORDER BY check_at, id LIMIT 1`
	selectFarCheckSQL = `SELECT id FROM organisations WHERE check_at > ?
		AND (check_claimed_until IS NULL OR check_claimed_until <= ? OR check_claimed_until > ?) ORDER BY check_at, id LIMIT 1`
	claimCheckSQL   = "UPDATE organisations SET check_at = ?, check_claimed_until = ? WHERE id = ?"
	releaseCheckSQL = `UPDATE organisations SET check_at = CASE WHEN check_at IS NULL THEN NULL ELSE COALESCE(?, check_at) END,
		check_claimed_until = NULL WHERE id = ? AND check_claimed_until = ?`
	selectOrganisationsOnHoldSQL = `SELECT DISTINCT organisation_id FROM subscriptions WHERE hold IS NOT NULL
		ORDER BY organisation_id`
)

// organisationRow is an organisation without its subscriptions.
type organisationRow struct {
	ID                          string     `db:"id"`
	Name                        string     `db:"name"`
	NameKey                     string     `db:"name_key"`
	ContactEmail                string     `db:"contact_email"`
	MemberEmails                string     `db:"member_emails"` // separated by spaces
	Phone                       string     `db:"phone"`
	Line1                       string     `db:"line1"`
	Line2                       string     `db:"line2"`
	City                        string     `db:"city"`
	State                       string     `db:"state"`
	PostalCode                  string     `db:"postal_code"`
	Country                     string     `db:"country"`
	Currency                    string     `db:"currency"`
	ChoiceProduct               string     `db:"choice_product"`
	ChoiceInterval              string     `db:"choice_interval"`
	CreatedAt                   timestamp  `db:"created_at"`
	VerifiedAt                  timestamp  `db:"verified_at"` // only its first user is verified; set by saveUser
	CustomerID                  nullString `db:"customer_id"`
	BillingCurrency             string     `db:"billing_currency"`
	TrialUsedAt                 timestamp  `db:"trial_used_at"`
	Revision                    int64      `db:"revision"`
	CheckAt                     timestamp  `db:"check_at"`
	VoidedInvoiceAt             timestamp  `db:"voided_invoice_at"`
	VoidedInvoiceSubscriptionID nullString `db:"voided_invoice_subscription_id"`
	TransferReportedAt          timestamp  `db:"transfer_reported_at"`
	TransferReportedInvoiceID   nullString `db:"transfer_reported_invoice_id"`
	OwingSubscriptionID         nullString `db:"owing_subscription_id"`
	Details                     string     `db:"details"` // JSON; "" until they are edited
	DetailsSentTo               string     `db:"details_sent_to"`
	SentContactEmail            string     `db:"sent_contact_email"`
	devLicenseColumns
}

// devLicenseColumns contains the developer license. If there is none, the id is NULL.
type devLicenseColumns struct {
	LicenseID        nullString `db:"dev_license_id"`
	LicenseProduct   string     `db:"dev_license_product"`
	LicenseInterval  string     `db:"dev_license_interval"`
	LicenseCurrency  string     `db:"dev_license_currency"`
	LicenseStatus    string     `db:"dev_license_status"`
	LicensePeriodEnd timestamp  `db:"dev_license_current_period_end"`
	LicenseTrialEnd  timestamp  `db:"dev_license_trial_end"`
}

// organisationRows contains the row of an organisation and the rows of its subscriptions.
type organisationRows struct {
	organisationRow
	subscriptions []subscriptionRow
}

func newOrganisationRows(o account.Organisation) organisationRows {
	return organisationRows{
		organisationRow: organisationRow{
			ID: o.ID, Name: o.Name, NameKey: account.NameKey(o.Name), ContactEmail: o.ContactEmail,
			MemberEmails: strings.Join(o.MemberEmails, " "), Phone: o.Phone,
			Line1: o.Address.Line1, Line2: o.Address.Line2, City: o.Address.City,
			State: o.Address.State, PostalCode: o.Address.PostalCode, Country: o.Address.Country,
			Currency: o.Currency, ChoiceProduct: o.Choice.Product, ChoiceInterval: string(o.Choice.Interval),
			CreatedAt: newTimestamp(o.CreatedAt), CustomerID: nullIfEmpty(o.Billing.CustomerID),
			BillingCurrency: o.Billing.Currency, TrialUsedAt: newTimestamp(o.Billing.TrialUsedAt), Revision: o.Billing.Revision,
			CheckAt:                     newTimestamp(o.Billing.CheckAt),
			VoidedInvoiceAt:             newTimestamp(o.Billing.LastVoidedInvoice.At),
			VoidedInvoiceSubscriptionID: nullIfEmpty(o.Billing.LastVoidedInvoice.SubscriptionID),
			TransferReportedAt:          newTimestamp(o.Billing.TransferReport.At),
			TransferReportedInvoiceID:   nullIfEmpty(o.Billing.TransferReport.InvoiceID),
			OwingSubscriptionID:         nullIfEmpty(o.Billing.OwingSubscriptionID),
			Details:                     encodeDetails(o.Details),
			DetailsSentTo:               o.DetailsSentTo,
			SentContactEmail:            o.SentContactEmail,
			devLicenseColumns:           newDevLicenseColumns(o.Billing.DevLicense),
		},
		subscriptions: newSubscriptionRows(o.ID, o.Billing.Subscriptions),
	}
}

func encodeDetails(d *account.BillingDetails) string {
	if d == nil {
		return ""
	}
	return d.Encode()
}

// decodeDetails returns nil for details that can't be read, so that the details of the registration apply.
func decodeDetails(text string) *account.BillingDetails {
	d, err := account.DecodeBillingDetails(text)
	if err != nil {
		return nil
	}
	return &d
}

func newDevLicenseColumns(l *billing.License) devLicenseColumns {
	if l == nil {
		return devLicenseColumns{}
	}
	return devLicenseColumns{
		LicenseID: notNull(l.ID), LicenseProduct: l.Price.Product, LicenseInterval: string(l.Price.Interval),
		LicenseCurrency: l.Price.Currency, LicenseStatus: string(l.Status),
		LicensePeriodEnd: newTimestamp(l.CurrentPeriodEnd), LicenseTrialEnd: newTimestamp(l.TrialEnd),
	}
}

func (r organisationRows) organisation() (account.Organisation, error) {
	o := account.Organisation{
		ID: r.ID, Name: r.Name, ContactEmail: r.ContactEmail, Phone: r.Phone,
		MemberEmails: slices.Collect(strings.FieldsSeq(r.MemberEmails)),
		Currency:     r.Currency, CreatedAt: r.CreatedAt.time,
		Address: account.Address{
			Line1: r.Line1, Line2: r.Line2, City: r.City,
			State: r.State, PostalCode: r.PostalCode, Country: r.Country,
		},
		Choice: account.Choice{Product: r.ChoiceProduct, Interval: catalogue.Interval(r.ChoiceInterval)},
		Billing: billing.Account{
			CustomerID: r.CustomerID.V, Currency: r.BillingCurrency, TrialUsedAt: r.TrialUsedAt.time,
			DevLicense: r.devLicense(), Revision: r.Revision, CheckAt: r.CheckAt.time,
			LastVoidedInvoice:   billing.VoidedInvoice{SubscriptionID: r.VoidedInvoiceSubscriptionID.V, At: r.VoidedInvoiceAt.time},
			TransferReport:      billing.TransferReport{InvoiceID: r.TransferReportedInvoiceID.V, At: r.TransferReportedAt.time},
			OwingSubscriptionID: r.OwingSubscriptionID.V,
		},
		Details: decodeDetails(r.Details), DetailsSentTo: r.DetailsSentTo, SentContactEmail: r.SentContactEmail,
	}
	for _, row := range r.subscriptions {
		sub, err := unmarshalDocument[billing.Subscription](row.Document)
		if err != nil {
			return account.Organisation{}, err
		}
		o.Billing.Subscriptions = append(o.Billing.Subscriptions, sub)
	}
	return o, nil
}

func (c devLicenseColumns) devLicense() *billing.License {
	if !c.LicenseID.Valid {
		return nil
	}
	return &billing.License{
		ID: c.LicenseID.V, Status: billing.Status(c.LicenseStatus), IsDev: true,
		Price: catalogue.PriceRef{
			Product: c.LicenseProduct, Interval: catalogue.Interval(c.LicenseInterval), Currency: c.LicenseCurrency,
		},
		CurrentPeriodEnd: c.LicensePeriodEnd.time, TrialEnd: c.LicenseTrialEnd.time,
	}
}

// readOrganisationRows reads an organisation in a transaction. The query selects the organisation's row, and may lock it.
// The subscriptions are read after that, because a join would return the subscriptions as they were before the lock.
func (c conn) readOrganisationRows(ctx context.Context, query, id string) (organisationRows, error) {
	var rows organisationRows
	if err := c.get(ctx, "organisation", &rows.organisationRow, query, id); err != nil {
		return rows, err
	}
	return rows, c.list(ctx, &rows.subscriptions, selectSubscriptionsSQL, rows.ID)
}

// OrganisationsOnHold implements storage.Organisations.
func (s *Store) OrganisationsOnHold(ctx context.Context) ([]account.Organisation, error) {
	orgs, err := s.listOrganisations(ctx, selectOrganisationsOnHoldSQL)
	return slices.DeleteFunc(orgs, func(o account.Organisation) bool { return o.Billing.Hold() == billing.NoHold }), err
}

// UpdateOrganisation implements storage.Organisations.
func (s *Store) UpdateOrganisation(
	ctx context.Context, id string, change func(*account.Organisation) error,
) (account.Organisation, error) {
	return s.updateOrganisation(ctx, id, change, func(conn) error { return nil })
}

// updateOrganisation implements UpdateOrganisation. It calls afterSave in the transaction, after it has saved the
// organisation.
func (s *Store) updateOrganisation(
	ctx context.Context, id string, change func(*account.Organisation) error, afterSave func(conn) error,
) (account.Organisation, error) {
	var newRows organisationRows
	var result account.Organisation
	err := s.write(ctx, func(c conn) error {
		oldRows, err := c.readOrganisationRows(ctx, selectOrganisationSQL+c.forUpdate, id)
		if err != nil {
			return err
		}
		o, err := oldRows.organisation()
		if err != nil {
			return err
		}
		old := o
		old.Billing.Subscriptions = slices.Clone(o.Billing.Subscriptions)
		oldTerms := organisationTerms(old)
		if err := change(&o); err != nil {
			return callerError{err}
		}
		o.ID, o.CreatedAt = id, old.CreatedAt
		newRows = newOrganisationRows(o)
		newRows.VerifiedAt = oldRows.VerifiedAt
		if result, err = newRows.organisation(); err != nil {
			return err
		}
		if err := c.saveOrganisation(ctx, oldRows, newRows); err != nil {
			return err
		}
		if err := c.replaceSearchTerms(ctx, id, oldTerms, organisationTerms(result)); err != nil {
			return err
		}
		if err := c.addAuditEntries(audit.WithDefaultActor(ctx, audit.System), account.OrganisationEntries(&old, &o)...); err != nil {
			return err
		}
		return afterSave(c)
	})
	if err != nil {
		return account.Organisation{}, s.uniqueViolationToDuplicate(ctx, err, newRows.organisationRow, userRow{})
	}
	return result, nil
}

func (c conn) saveOrganisation(ctx context.Context, oldRows, newRows organisationRows) error {
	if oldRows.organisationRow != newRows.organisationRow {
		if err := c.save(ctx, updateOrganisationSQL, newRows.organisationRow); err != nil {
			return c.uniqueViolationToConflict(err, "The customer belongs to another organisation")
		}
	}
	return c.saveSubscriptions(ctx, oldRows.subscriptions, newRows.subscriptions)
}

// billingCheckStatements claim checks of organisations.
var billingCheckStatements = checkStatements{
	selectDue: selectDueCheckSQL, selectFar: selectFarCheckSQL, claim: claimCheckSQL, maxInterval: billing.MaxCheckInterval,
}

// ClaimBillingCheck implements storage.Organisations.
func (s *Store) ClaimBillingCheck(ctx context.Context, now time.Time, lease time.Duration) (storage.Check, error) {
	return s.claimCheck(ctx, billingCheckStatements, now, lease)
}

// ReleaseBillingCheck implements storage.Organisations.
func (s *Store) ReleaseBillingCheck(ctx context.Context, c storage.Check, next time.Time) error {
	return s.execWrite(ctx, releaseCheckSQL, newTimestamp(next), c.OrganisationID, newTimestamp(c.ClaimedUntil))
}

// checkStatements are the statements that claim a kind of check.
type checkStatements struct {
	selectDue, selectFar, claim string
	maxInterval                 time.Duration // the longest time between two checks
}

// claimCheck claims the check that has been due for the longest time. If none is due, it claims one whose time lies so
// far in the future that it was computed with a wrong clock. The limit is twice the interval, because the clocks of
// correct servers differ slightly. Concurrent claims skip each other's rows.
func (s *Store) claimCheck(ctx context.Context, st checkStatements, now time.Time, lease time.Duration) (storage.Check, error) {
	var check storage.Check
	err := s.write(ctx, func(c conn) error {
		databaseNow, err := s.databaseTime(ctx, c)
		if err != nil {
			return err
		}
		claimArgs := []any{newTimestamp(databaseNow), newTimestamp(databaseNow.Add(2 * lease))}
		err = c.get(ctx, "due check", &check.OrganisationID, st.selectDue+c.forUpdateSkipLocked,
			append([]any{newTimestamp(now)}, claimArgs...)...)
		if fault.Is(err, fault.NotFound) {
			err = c.get(ctx, "due check", &check.OrganisationID, st.selectFar+c.forUpdateSkipLocked,
				append([]any{newTimestamp(now.Add(2 * st.maxInterval))}, claimArgs...)...)
		}
		if err != nil {
			return err
		}
		claimedUntil := newTimestamp(databaseNow.Add(lease))
		check.ClaimedUntil = claimedUntil.time
		_, err = c.exec(ctx, st.claim, newTimestamp(now.Add(lease)), claimedUntil, check.OrganisationID)
		return err
	})
	if err != nil {
		return storage.Check{}, err
	}
	return check, nil
}
