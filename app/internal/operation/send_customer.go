package operation

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/storage"
)

// createCustomer creates the organisation's customer, or returns the existing one. A repeat must send the same data under
// the key, so the email is that of the action: the contact email of the organisation can change.
func (s actionSender) createCustomer(ctx context.Context, organisationID string, action billing.Action) (billing.Customer, error) {
	org, err := s.store.Organisation(ctx, organisationID)
	if err != nil {
		return billing.Customer{}, err
	}
	if org.Billing.CustomerID != "" {
		return s.provider.Customer(ctx, org.Billing.CustomerID)
	}
	customer, err := s.provider.CreateCustomer(ctx, payment.NewCustomer{
		Key: action.Key, OrganisationID: org.ID, Name: org.Name, Email: action.Email,
		Phone: org.Phone, Currency: org.Currency, Address: org.Address, // these never change
	})
	if err != nil {
		return billing.Customer{}, err
	}
	return customer, storeCustomer(ctx, s.store, org.ID, customer, action.Email, s.clock.Now())
}

// storeCustomer stores the customer, which was created with the email, if the organisation has none: a delayed request must
// not replace the customer that is in use.
func storeCustomer(
	ctx context.Context, store storage.Organisations, organisationID string, customer billing.Customer, email string, now time.Time,
) error {
	_, err := store.UpdateOrganisation(ctx, organisationID, func(o *account.Organisation) error {
		if o.Billing.CustomerID == "" {
			o.Billing.SetCustomer(customer.ID, now)
			o.SentContactEmail = email
		}
		return nil
	})
	return err
}

// updateCustomer sends the billing details of the action without an unconfirmed email, and the contact email if the action
// has one. It then stores the details and returns them as stored: an email that was confirmed in the meantime is kept.
// Repeats have the same result.
func (s actionSender) updateCustomer(
	ctx context.Context, organisationID string, action billing.Action,
) (account.BillingDetails, error) {
	details, err := account.DecodeBillingDetails(action.Details)
	if err != nil {
		return details, fault.Wrap(err, fault.Internal, "The billing details of an operation can't be read.")
	}
	update := payment.CustomerUpdate{Key: action.Key, CustomerID: action.CustomerID, Details: details, Email: action.Email}
	update.Details.UnconfirmedEmail = ""
	_, err = s.provider.UpdateCustomer(ctx, update)
	if fault.Is(err, fault.Invalid) && len(fault.FieldsOf(err)) == 0 && details.TaxID != nil {
		var fields fault.Fields
		fields.Add("taxId", cmp.Or(fault.MessageOf(err), "This tax id was not accepted"))
		err = fields.Err()
	}
	if err != nil {
		return details, err
	}
	org, err := s.store.UpdateOrganisation(ctx, organisationID, func(o *account.Organisation) error {
		if action.Email == "" || o.Details != nil { // details that were never edited stay those of the registration
			o.SetDetails(details, action.CustomerID)
		}
		o.SentContactEmail = cmp.Or(action.Email, o.SentContactEmail)
		return nil
	})
	if err != nil {
		return details, err
	}
	return org.BillingDetails(), nil
}

// sendCard sends an action that saves a card, makes one the default card, or deletes one.
func (s actionSender) sendCard(ctx context.Context, organisationID string, action billing.Action, resp *Responses) (err error) {
	switch {
	case action.Kind == billing.SaveCardAction:
		resp.Card, err = s.provider.AddCard(ctx, payment.NewCard{
			Key: action.Key, CustomerID: action.CustomerID, MethodID: action.MethodID, KeepDefault: action.KeepDefault,
			ReturnTo: s.methodReturnURL,
		})
	case action.Kind == billing.SetDefaultCardAction:
		resp.Customer, err = s.provider.SetDefaultCard(ctx, newSavedCardRequest(action))
		if resp.Customer.Default != nil {
			resp.Card = *resp.Customer.Default
		}
	case action.IfDeclined:
		err = s.provider.DeleteCard(ctx, newSavedCardRequest(action))
	default:
		err = s.deleteCardUnlessInUse(ctx, organisationID, action)
	}
	return err
}

// setUpMethod requests the provider's page that saves a payment method. After a purchase it only logs a failure, because
// the purchase was made, and the customer can save a method on the cards screen.
func (s actionSender) setUpMethod(
	ctx context.Context, organisationID string, action billing.Action, isPurchase bool,
) (billing.NextAction, error) {
	req := payment.MethodSetup{Key: action.Key, CustomerID: action.CustomerID, ReturnTo: s.methodReturnURL}
	if isPurchase {
		req.ReturnTo = s.returnURL
	}
	page, err := s.provider.SetUpMethod(ctx, req)
	if err != nil && isPurchase && !errors.Is(err, payment.ErrKeyRetired) {
		s.log.WarnContext(ctx, "no page for the payment method of a new subscription", "org", organisationID, "error", err)
		return billing.NextAction{}, nil
	}
	return page, err
}

// deleteCardUnlessInUse deletes a card. For the default card it first refreshes our copy, and returns Conflict while a
// subscription is live or open.
func (s actionSender) deleteCardUnlessInUse(ctx context.Context, organisationID string, action billing.Action) error {
	customer, err := s.provider.Customer(ctx, action.CustomerID)
	if err == nil && customer.Default != nil && customer.Default.ID == action.MethodID {
		var org account.Organisation
		org, err = s.sync.Refresh(ctx, organisationID)
		if err == nil && (org.Billing.LiveSubscription() != nil || org.Billing.OpenSubscription() != nil) {
			err = fault.New(fault.Conflict, "Your subscription is paid with this payment method. Make another one the default first.")
		}
	}
	if err != nil {
		return err
	}
	return s.provider.DeleteCard(ctx, newSavedCardRequest(action))
}

// newSavedCardRequest returns the request of an action on a saved card.
func newSavedCardRequest(action billing.Action) payment.SavedCardRequest {
	return payment.SavedCardRequest{Key: action.Key, CustomerID: action.CustomerID, MethodID: action.MethodID}
}
