package account

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/domain/billing"
)

// SignUpEntry returns the entry of the audit log for a sign-up.
func SignUpEntry(o Organisation, u User) audit.Entry {
	e := audit.Entry{
		OrganisationID: o.ID, Actor: audit.Visitor, Kind: audit.SignedUp, Subject: u.ID, Data: audit.Data{"country": o.Address.Country},
	}
	if !o.Choice.IsZero() {
		e.Data["plan"], e.Data["interval"] = o.Choice.Product, string(o.Choice.Interval)
	}
	return e
}

// SignInEntry returns the entry of the audit log for a user who signs in with the methods.
func SignInEntry(u User, isKnownBrowser bool, methods ...string) audit.Entry {
	return audit.Entry{
		OrganisationID: u.OrganisationID, Actor: audit.User(u.ID), Kind: audit.SignIn, Subject: u.ID,
		Data: audit.Data{"methods": strings.Join(methods, ","), "browser": browserCode(isKnownBrowser)},
	}
}

// RefusedSignInEntry returns the entry of the audit log for a person who enters the user's password and is refused for the
// reason.
func RefusedSignInEntry(u User, isKnownBrowser bool, reason string) audit.Entry {
	return audit.Entry{
		OrganisationID: u.OrganisationID, Actor: audit.Visitor, Kind: audit.SignIn, Subject: u.ID, Outcome: audit.Refused,
		Data: audit.Data{"reason": reason, "browser": browserCode(isKnownBrowser)},
	}
}

// WrongPasswordEntry returns the entry of the audit log for a signed-in person who enters a wrong current password. network
// is that of the client, or "".
func WrongPasswordEntry(u User, network string) audit.Entry {
	e := newUserEntry(u, audit.SignInsRefused, u.ID)
	e.Outcome, e.Data = audit.Refused, audit.Data{"method": "current_password", "count": "1"}
	if network != "" {
		e.Data["network"] = network
	}
	return e
}

func browserCode(isKnown bool) string {
	if isKnown {
		return "known"
	}
	return "new"
}

// UserEntries returns the entries of the audit log for a change of the user. They have no actor.
func UserEntries(old, changed User) []audit.Entry {
	kinds := []struct {
		hasChanged bool
		kind       audit.Kind
	}{
		{!old.IsVerified() && changed.IsVerified(), audit.EmailVerified},
		{old.Email != changed.Email, audit.EmailChanged},
		{old.PasswordHash != changed.PasswordHash, audit.PasswordChanged},
		{!old.HasTwoStep() && changed.HasTwoStep(), audit.TwoStepOn},
		{old.HasTwoStep() && !changed.HasTwoStep(), audit.TwoStepOff},
	}
	var entries []audit.Entry
	for _, k := range kinds {
		if k.hasChanged {
			entries = append(entries, newUserEntry(old, k.kind, old.ID))
		}
	}
	if fields := changedFields(
		field{"first_name", old.FirstName != changed.FirstName}, field{"last_name", old.LastName != changed.LastName},
		field{"phone", old.Phone != changed.Phone},
	); fields != "" {
		e := newUserEntry(old, audit.ProfileChanged, old.ID)
		e.Data = audit.Data{"fields": fields}
		entries = append(entries, e)
	}
	return entries
}

func newUserEntry(u User, kind audit.Kind, subject string) audit.Entry {
	return audit.Entry{OrganisationID: u.OrganisationID, Kind: kind, Subject: subject}
}

// field is a field that may have changed.
type field struct {
	name       string
	hasChanged bool
}

// changedFields returns the names of the changed fields, separated by commas.
func changedFields(fields ...field) string {
	var names []string
	for _, f := range fields {
		if f.hasChanged {
			names = append(names, f.name)
		}
	}
	return strings.Join(names, ",")
}

// FactorEntries returns the entries of the audit log for a change of the passkeys, of the recovery codes, of the links and of
// the sessions, besides those of UserEntries. They have no actor.
func FactorEntries(old, changed Credentials) []audit.Entry {
	entries := slices.Concat(appEntries(old, changed), passkeyEntries(old, changed), recoveryCodeEntries(old, changed), emailChangeEntries(old, changed))
	if slices.ContainsFunc(old.Undos, func(u Undo) bool { return !slices.Contains(changed.Undos, u) }) {
		entries = append(entries, newUserEntry(old.User, audit.ChangesUndone, old.User.ID))
	}
	isReported := len(entries) > 0 || len(UserEntries(old.User, changed.User)) > 0
	if !isReported && old.User.SecurityRevision != changed.User.SecurityRevision {
		entries = append(entries, newUserEntry(old.User, audit.SignedOutEverywhere, old.User.ID))
	}
	return entries
}

func emailChangeEntries(old, changed Credentials) (entries []audit.Entry) {
	if c := changed.EmailChange; c != nil && (old.EmailChange == nil || old.EmailChange.TokenHash != c.TokenHash) {
		entries = append(entries, newUserEntry(old.User, audit.EmailChangeRequested, old.User.ID))
	}
	hasSameLogin := old.User.Email == changed.User.Email && old.User.SecurityRevision == changed.User.SecurityRevision
	if old.EmailChange != nil && changed.EmailChange == nil && hasSameLogin {
		entries = append(entries, newUserEntry(old.User, audit.EmailChangeCanceled, old.User.ID))
	}
	return entries
}

// appEntries returns no entry for the app with which two-step verification is turned on.
func appEntries(old, changed Credentials) []audit.Entry {
	if !old.User.HasTwoStep() || old.AuthenticatorApp() != nil || changed.AuthenticatorApp() == nil {
		return nil
	}
	return []audit.Entry{newUserEntry(old.User, audit.AppAdded, changed.AuthenticatorApp().ID)}
}

func passkeyEntries(old, changed Credentials) (entries []audit.Entry) {
	oldNames, newNames := passkeyNames(old), passkeyNames(changed)
	for _, id := range slices.Sorted(maps.Keys(newNames)) {
		switch name, isKnown := oldNames[id]; {
		case !isKnown:
			entries = append(entries, newUserEntry(old.User, audit.PasskeyAdded, id))
		case name != newNames[id]:
			entries = append(entries, newUserEntry(old.User, audit.PasskeyRenamed, id))
		}
	}
	for _, id := range slices.Sorted(maps.Keys(oldNames)) {
		if _, isKept := newNames[id]; !isKept {
			entries = append(entries, newUserEntry(old.User, audit.PasskeyRemoved, id))
		}
	}
	return entries
}

// passkeyNames returns the names of the passkeys by their ids.
func passkeyNames(c Credentials) map[string]string {
	names := map[string]string{}
	for _, a := range c.Authenticators {
		if a.Kind == PasskeyAuthenticator {
			names[a.ID] = a.Name
		}
	}
	return names
}

// recoveryCodeEntries returns no entries if two-step verification is turned on or off.
func recoveryCodeEntries(old, changed Credentials) []audit.Entry {
	if !old.User.HasTwoStep() || !changed.User.HasTwoStep() || slices.Equal(old.RecoveryCodes, changed.RecoveryCodes) {
		return nil
	}
	kind := audit.RecoveryCodeUsed
	if slices.ContainsFunc(changed.RecoveryCodes, func(hash string) bool { return !slices.Contains(old.RecoveryCodes, hash) }) {
		kind = audit.RecoveryCodesRenewed
	}
	return []audit.Entry{newUserEntry(old.User, kind, old.User.ID)}
}

// OrganisationEntries returns the entries of the audit log for a change of the organisation. Only those about subscriptions
// have an actor.
func OrganisationEntries(old, changed *Organisation) []audit.Entry {
	entries := detailsEntries(old, changed)
	if report := changed.Billing.TransferReport; report != old.Billing.TransferReport && report.InvoiceID != "" {
		entries = append(entries, audit.Entry{Kind: audit.TransferReported, Subject: audit.Code(report.InvoiceID)})
	}
	if license := changed.Billing.DevLicense; license != nil && (old.Billing.DevLicense == nil || old.Billing.DevLicense.ID != license.ID) {
		entries = append(entries, audit.Entry{
			Kind: audit.DeveloperLicenseGranted, Subject: license.ID, Data: audit.Data{"plan": license.Price.Product},
		})
	}
	if changed.Billing.DevLicense == nil && old.Billing.DevLicense != nil {
		entries = append(entries, audit.Entry{Kind: audit.DeveloperLicenseEnded, Subject: old.Billing.DevLicense.ID})
	}
	entries = append(entries, billing.SubscriptionEntries(old.Billing.Subscriptions, changed.Billing.Subscriptions)...)
	for i := range entries {
		entries[i].OrganisationID = old.ID
	}
	return entries
}

func detailsEntries(old, changed *Organisation) (entries []audit.Entry) {
	if old.Name != changed.Name {
		entries = append(entries, audit.Entry{Kind: audit.OrganisationRenamed})
	}
	before, after := old.BillingDetails(), changed.BillingDetails()
	if fields := before.changedFields(after); fields != "" && changed.Details != nil {
		entries = append(entries, audit.Entry{Kind: audit.BillingDetailsChanged, Data: audit.Data{"fields": fields}})
	}
	if after.UnconfirmedEmail != "" && after.UnconfirmedEmail != before.UnconfirmedEmail {
		entries = append(entries, audit.Entry{Kind: audit.BillingEmailEntered})
	}
	if after.BillingEmail != before.BillingEmail {
		entries = append(entries, audit.Entry{Kind: audit.BillingEmailChanged})
	}
	return entries
}

// changedFields returns the names of the fields that differ, except the billing emails.
func (d BillingDetails) changedFields(changed BillingDetails) string {
	return changedFields(
		field{"legal_name", d.LegalName != changed.LegalName}, field{"phone", d.Phone != changed.Phone},
		field{"purchase_order", d.PurchaseOrder != changed.PurchaseOrder}, field{"address", d.Address != changed.Address},
		field{"tax_id", *cmp.Or(d.TaxID, &TaxID{}) != *cmp.Or(changed.TaxID, &TaxID{})},
		field{"pdf", d.OmitPDF != changed.OmitPDF},
	)
}
