package app

import (
	"cmp"
	"context"
	"crypto/rand"
	"net/url"
	"slices"
	"time"

	"github.com/vc-admin/diy/app/emails"
	"github.com/vc-admin/diy/app/internal/ids"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/mail"
	"github.com/vc-admin/diy/ports/storage"
)

// emailConfirmer sends the links that confirm billing emails, and finds them by their tokens.
type emailConfirmer struct {
	store         storage.EmailConfirmations
	clock         clock.Clock
	publicURL     string
	sender        emails.Sender
	markReachable func(ctx context.Context, email string)
}

// send sends a link that confirms the address. Earlier links stay valid.
func (c emailConfirmer) send(ctx context.Context, organisationID, address string) error {
	now := c.clock.Now()
	confirmation, email := c.newConfirmation(organisationID, address, now)
	return c.store.AddEmailConfirmation(ctx, confirmation, email, now)
}

// newConfirmation returns a confirmation of the address with a new token, and the email that contains the token.
func (c emailConfirmer) newConfirmation(
	organisationID, address string, now time.Time,
) (account.EmailConfirmation, mail.Message) {
	token := rand.Text()
	link := c.publicURL + "/vc-admin/auth/billing-email?token=" + url.QueryEscape(token)
	email := emails.BillingEmailConfirmation(c.sender, link, account.EmailConfirmationLifetime)
	email.To = address
	return account.EmailConfirmation{
		TokenHash: ids.Hash(token), OrganisationID: organisationID, Email: address,
		ExpiresAt: now.Add(account.EmailConfirmationLifetime),
	}, email
}

// find returns the confirmation with the token. It returns NotFound when the token is unknown or too old.
func (c emailConfirmer) find(ctx context.Context, token string) (account.EmailConfirmation, error) {
	confirmation, err := c.store.EmailConfirmation(ctx, ids.Hash(token))
	if err == nil && confirmation.IsExpired(c.clock.Now()) {
		return account.EmailConfirmation{}, account.ErrUnknownLink()
	}
	return confirmation, fault.ReplaceNotFound(err, account.ErrUnknownLink())
}

// ResendBillingEmailConfirmation sends another link that confirms an address for billing emails.
type ResendBillingEmailConfirmation struct {
	store interface {
		storage.Organisations
		storage.UnreachableEmails
	}
	emailConfirmer emailConfirmer
}

// Do sends the link to the address; "" means the unconfirmed one. It returns Conflict for an address that is confirmed
// and reachable.
func (u *ResendBillingEmailConfirmation) Do(ctx context.Context, caller identity.Identity, address string) error {
	if err := caller.Require(account.ManageBilling); err != nil {
		return err
	}
	org, err := u.store.Organisation(ctx, caller.OrganisationID)
	if err != nil {
		return err
	}
	unconfirmedEmail := org.BillingDetails().UnconfirmedEmail
	address = cmp.Or(account.EmailKey(address), unconfirmedEmail)
	canConfirm := address != ""
	if address != unconfirmedEmail {
		unreachableEmails, err := u.store.Unreachable(ctx, org.ID, org.ConfirmableEmails()...)
		if err != nil {
			return err
		}
		canConfirm = slices.Contains(unreachableEmails, address)
	}
	if !canConfirm {
		return fault.New(fault.Conflict, "Your billing email is confirmed already.")
	}
	return u.emailConfirmer.send(ctx, org.ID, address)
}

// ShowBillingEmailConfirmation returns the address and the organisation of a link that confirms a billing email.
type ShowBillingEmailConfirmation struct {
	store          storage.Organisations
	emailConfirmer emailConfirmer
}

// Do returns the address and the organisation that entered it. It returns NotFound when the token is unknown or too old,
// or when another address was entered since the link was sent.
func (u *ShowBillingEmailConfirmation) Do(
	ctx context.Context, token string,
) (address string, org account.Organisation, err error) {
	confirmation, err := u.emailConfirmer.find(ctx, token)
	if err == nil {
		org, err = u.store.Organisation(ctx, confirmation.OrganisationID)
	}
	if err == nil && !slices.Contains(org.ConfirmableEmails(), confirmation.Email) {
		err = account.ErrUnknownLink()
	}
	if err != nil {
		return "", account.Organisation{}, fault.ReplaceNotFound(err, account.ErrUnknownLink())
	}
	return confirmation.Email, org, nil
}

// ConfirmBillingEmail confirms a billing email.
type ConfirmBillingEmail struct {
	store          storage.Organisations
	emailConfirmer emailConfirmer
	detailsUpdater detailsUpdater
}

// Do makes the token's address the billing email and sends the address to the payment provider, unless the address
// receives billing emails already. Do also removes the mark that the address is unreachable. A repeat has no effect. Do
// returns NotFound in the same cases as ShowBillingEmailConfirmation.
func (u *ConfirmBillingEmail) Do(ctx context.Context, token string) error {
	confirmation, err := u.emailConfirmer.find(ctx, token)
	if err != nil {
		return err
	}
	wasUnconfirmed := false
	visitorCtx := audit.WithActor(ctx, audit.Visitor)
	_, err = u.store.UpdateOrganisation(visitorCtx, confirmation.OrganisationID, func(o *account.Organisation) error {
		wasUnconfirmed = o.BillingDetails().UnconfirmedEmail == confirmation.Email
		if !slices.Contains(o.ConfirmableEmails(), confirmation.Email) {
			return account.ErrUnknownLink()
		}
		o.ConfirmBillingEmail(confirmation.Email)
		return nil
	})
	if err != nil {
		return fault.ReplaceNotFound(err, account.ErrUnknownLink())
	}
	u.emailConfirmer.markReachable(ctx, confirmation.Email)
	if wasUnconfirmed {
		ctx, cancel := context.WithTimeout(ctx, emailConfirmationTimeout)
		defer cancel()
		u.detailsUpdater.sendUnsentDetails(ctx, confirmation.OrganisationID)
	}
	return nil
}
