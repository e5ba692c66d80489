package app

import (
	"context"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/storage"
)

// emailConfirmations sends the links that confirm billing emails, and finds them by their tokens.
type emailConfirmations struct {
	store interface {
		storage.EmailConfirmations
		storage.Organisations
	}
	clock  clock.Clock
	emails accountEmails
}

// send sends a link that confirms the address. Earlier links stay valid.
func (c emailConfirmations) send(ctx context.Context, organisationID, address string) error {
	now := c.clock.Now()
	confirmation, email := c.emails.newEmailConfirmation(organisationID, address, now)
	return c.store.AddEmailConfirmation(ctx, confirmation, email, now)
}

// find returns the confirmation with the token. NotFound when it is unknown or too old.
func (c emailConfirmations) find(ctx context.Context, token string) (account.EmailConfirmation, error) {
	found, err := c.store.EmailConfirmation(ctx, hash(token))
	if err == nil && found.Expired(c.clock.Now()) {
		return account.EmailConfirmation{}, errUnknownToken()
	}
	return found, replaceNotFound(err, errUnknownToken())
}

// ResendBillingEmailConfirmation sends another link that confirms the billing email.
type ResendBillingEmailConfirmation struct{ confirmations emailConfirmations }

// Do sends the link to the unconfirmed address; Conflict if there is none.
func (u *ResendBillingEmailConfirmation) Do(ctx context.Context, caller identity.Identity) error {
	org, err := u.confirmations.store.Organisation(ctx, caller.OrganisationID)
	if err != nil {
		return err
	}
	address := org.BillingDetails().UnconfirmedEmail
	if address == "" {
		return fault.New(fault.Conflict, "Your billing email is confirmed already.")
	}
	return u.confirmations.send(ctx, org.ID, address)
}

// ShowBillingEmailConfirmation returns what a link that confirms a billing email is about.
type ShowBillingEmailConfirmation struct{ confirmations emailConfirmations }

// Do returns the address and the organisation whose billing emails it is for. NotFound when the token is unknown or
// too old, or another address was entered since.
func (u *ShowBillingEmailConfirmation) Do(ctx context.Context, token string) (address string, org account.Organisation, err error) {
	found, err := u.confirmations.find(ctx, token)
	if err == nil {
		org, err = u.confirmations.store.Organisation(ctx, found.OrganisationID)
	}
	details := org.BillingDetails()
	if err == nil && found.Email != details.UnconfirmedEmail && found.Email != details.BillingEmail {
		err = errUnknownToken()
	}
	if err != nil {
		return "", account.Organisation{}, replaceNotFound(err, errUnknownToken())
	}
	return found.Email, org, nil
}

// ConfirmBillingEmail confirms a billing email.
type ConfirmBillingEmail struct {
	confirmations emailConfirmations
	details       billingDetails
}

// Do makes the token's address the billing email and sends it to the payment provider. A repeat has no effect.
// NotFound as in ShowBillingEmailConfirmation.
func (u *ConfirmBillingEmail) Do(ctx context.Context, token string) error {
	found, err := u.confirmations.find(ctx, token)
	if err != nil {
		return err
	}
	changed := false
	_, err = u.confirmations.store.UpdateOrganisation(ctx, found.OrganisationID, func(o *account.Organisation) error {
		changed = o.BillingDetails().UnconfirmedEmail == found.Email
		if !o.ConfirmBillingEmail(found.Email) {
			return errUnknownToken()
		}
		return nil
	})
	if err != nil {
		return replaceNotFound(err, errUnknownToken())
	}
	if changed {
		ctx, cancel := context.WithTimeout(ctx, customerTimeout)
		defer cancel()
		u.details.sendUnsent(ctx, found.OrganisationID)
	}
	return nil
}
