package notices

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/storage"
)

// preferenceStore stores which optional notices each recipient has turned off.
type preferenceStore struct {
	store interface {
		storage.EmailPreferences
		storage.Organisations
	}
	links                    preferenceLinks
	optionalRenewalReminders bool // see Ports.OptionalRenewalReminders
}

// findByToken returns the recipient of the link with the token, and the kind of the notice that contained it. It returns
// NotFound for a link that was not signed with the key, and when the link's recipient gets no notices any more.
func (p preferenceStore) findByToken(ctx context.Context, token string) (recipient, billing.NoticeKind, error) {
	kind, organisationID, signature := splitPreferenceToken(token)
	if !utf8.ValidString(organisationID) || strings.ContainsRune(organisationID, 0) { // databases refuse such ids
		return recipient{}, "", errUnknownPreferences()
	}
	org, err := p.store.Organisation(ctx, organisationID)
	if err != nil {
		return recipient{}, "", fault.ReplaceNotFound(err, errUnknownPreferences())
	}
	r, ok := p.links.findRecipient(org, kind, signature)
	if !ok {
		return recipient{}, "", errUnknownPreferences()
	}
	return r, kind, nil
}

func errUnknownPreferences() error {
	return fault.New(fault.NotFound, "This link is unknown, or its address does not receive emails about billing any more.")
}

// hasDeclined reports whether the recipient has turned the notice off.
func (p preferenceStore) hasDeclined(ctx context.Context, organisationID, email string, kind billing.NoticeKind) (bool, error) {
	if !kind.IsOptional(p.optionalRenewalReminders) {
		return false, nil
	}
	kinds, err := p.store.DeclinedNotices(ctx, organisationID, account.EmailKey(email))
	return slices.Contains(kinds, kind), err
}

// ShowEmailPreferences returns the optional notices, and which of them a recipient has turned off.
type ShowEmailPreferences struct{ preferences preferenceStore }

// EmailPreferences contains the optional notices of a recipient.
type EmailPreferences struct {
	OrganisationName string
	Email            string
	Notices          []NoticePreference
}

// NoticePreference reports whether a recipient has turned off a notice.
type NoticePreference struct {
	Kind     billing.NoticeKind
	Declined bool
}

// Do returns the preferences of the recipient of a link. It returns NotFound when the link is not valid.
func (u *ShowEmailPreferences) Do(ctx context.Context, token string) (EmailPreferences, error) {
	r, _, err := u.preferences.findByToken(ctx, token)
	if err != nil {
		return EmailPreferences{}, err
	}
	declinedKinds, err := u.preferences.store.DeclinedNotices(ctx, r.org.ID, account.EmailKey(r.email))
	if err != nil {
		return EmailPreferences{}, err
	}
	preferences := EmailPreferences{OrganisationName: r.org.Name, Email: r.email}
	for _, kind := range billing.OptionalNotices(u.preferences.optionalRenewalReminders) {
		preferences.Notices = append(preferences.Notices, NoticePreference{kind, slices.Contains(declinedKinds, kind)})
	}
	return preferences, nil
}

// GetEmailPreferencesToken returns the token with which a signed-in user opens their preferences without an email.
type GetEmailPreferencesToken struct {
	store                    storage.Users
	links                    preferenceLinks
	optionalRenewalReminders bool // see Ports.OptionalRenewalReminders
}

// Do returns the token, or "" if no emails about billing are sent to the user's address.
func (u *GetEmailPreferencesToken) Do(ctx context.Context, caller identity.Identity) (string, error) {
	if err := caller.Require(account.Read); err != nil {
		return "", err
	}
	user, org, err := u.store.UserWithOrganisation(ctx, caller.UserID, caller.OrganisationID)
	if err != nil || !slices.Contains(org.BillingRecipients(), user.Email) {
		return "", err
	}
	return u.links.token(recipient{org, user.Email}, billing.OptionalNotices(u.optionalRenewalReminders)[0]), nil
}

// EditEmailPreferences changes which optional notices a recipient gets.
type EditEmailPreferences struct{ preferences preferenceStore }

// Do turns off the notices of the declined kinds and turns on all other optional ones. It returns Invalid when a required
// notice is declined, and NotFound when the link is not valid.
func (u *EditEmailPreferences) Do(ctx context.Context, token string, declinedKinds []billing.NoticeKind) error {
	optionalKinds := billing.OptionalNotices(u.preferences.optionalRenewalReminders)
	var fields fault.Fields
	for _, kind := range declinedKinds {
		fields.Check(slices.Contains(optionalKinds, kind), "declined", "These emails are required.")
	}
	if err := fields.Err(); err != nil {
		return err
	}
	r, _, err := u.preferences.findByToken(ctx, token)
	if err != nil {
		return err
	}
	for _, kind := range optionalKinds {
		change := u.preferences.store.AcceptNotice
		if slices.Contains(declinedKinds, kind) {
			change = u.preferences.store.DeclineNotice
		}
		if err := change(ctx, r.org.ID, account.EmailKey(r.email), kind); err != nil {
			return err
		}
	}
	return nil
}

// Unsubscribe turns off the notices of one kind. Each email of an optional kind contains a link for it.
type Unsubscribe struct{ preferences preferenceStore }

// Do turns off the notices of the link's kind. A repeat has no effect. Do returns NotFound when the link is not valid.
func (u *Unsubscribe) Do(ctx context.Context, token string) error {
	r, kind, err := u.preferences.findByToken(ctx, token)
	if err != nil {
		return err
	}
	return u.preferences.store.DeclineNotice(ctx, r.org.ID, account.EmailKey(r.email), kind)
}
