package app_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/identity"
)

// TestUseCases_CheckTheRoleOfTheCaller calls every use case that has a caller. A use case that the role does not allow
// returns Forbidden; another one does not, although it may fail for another reason.
func TestUseCases_CheckTheRoleOfTheCaller(t *testing.T) {
	f := newFixture(t)
	owner := f.signUp()
	ctx := t.Context()
	readers := map[string]func(identity.Identity) error{
		"DescribeUser":     func(c identity.Identity) error { _, _, err := f.DescribeUser.Do(ctx, c); return err },
		"ShowOrganisation": func(c identity.Identity) error { _, err := f.ShowOrganisation.Do(ctx, c, c.OrganisationID); return err },
		"ShowCustomer":     func(c identity.Identity) error { _, err := f.ShowCustomer.Do(ctx, c); return err },
		"ListCards":        func(c identity.Identity) error { _, err := f.ListCards.Do(ctx, c); return err },
		"ShowBillingDetails": func(c identity.Identity) error {
			_, err := f.ShowBillingDetails.Do(ctx, c)
			return err
		},
		"GetEmailPreferencesToken": func(c identity.Identity) error { _, err := f.GetEmailPreferencesToken.Do(ctx, c); return err },
		"ListInvoices":             func(c identity.Identity) error { _, err := f.ListInvoices.Do(ctx, c, 10, ""); return err },
		"DownloadInvoicePDF":       func(c identity.Identity) error { _, err := f.DownloadInvoicePDF.Do(ctx, c, "inv"); return err },
		"DownloadCreditNotePDF": func(c identity.Identity) error {
			_, err := f.DownloadCreditNotePDF.Do(ctx, c, "inv", "1")
			return err
		},
		"ShowBilling":       func(c identity.Identity) error { _, err := f.ShowBilling.Do(ctx, c); return err },
		"ListSubscriptions": func(c identity.Identity) error { _, err := f.ListSubscriptions.Do(ctx, c, ""); return err },
	}
	writers := map[string]func(identity.Identity) error{
		"CreateCustomer": func(c identity.Identity) error { _, err := f.CreateCustomer.Do(ctx, c); return err },
		"AddCard":        func(c identity.Identity) error { _, err := f.AddCard.Do(ctx, c, ""); return err },
		"SetUpMethod":    func(c identity.Identity) error { _, err := f.SetUpMethod.Do(ctx, c); return err },
		"SetDefaultCard": func(c identity.Identity) error { _, err := f.SetDefaultCard.Do(ctx, c, ""); return err },
		"DeleteCard":     func(c identity.Identity) error { return f.DeleteCard.Do(ctx, c, "") },
		"EditBillingDetails": func(c identity.Identity) error {
			_, _, err := f.EditBillingDetails.Do(ctx, c, func(*account.BillingDetails) {})
			return err
		},
		"ResendBillingEmailConfirmation": func(c identity.Identity) error { return f.ResendBillingEmailConfirmation.Do(ctx, c, "") },
		"ReportTransfer":                 func(c identity.Identity) error { return f.ReportTransfer.Do(ctx, c, "inv") },
		"Subscribe":                      func(c identity.Identity) error { _, err := f.Subscribe.Do(ctx, c, app.SubscribeRequest{}); return err },
		"ChangePlan":                     func(c identity.Identity) error { _, err := f.ChangePlan.Do(ctx, c, app.ChangeRequest{}); return err },
		"PayOpenInvoice":                 func(c identity.Identity) error { _, err := f.PayOpenInvoice.Do(ctx, c, app.PayRequest{}); return err },
		"QuotePrice":                     func(c identity.Identity) error { _, err := f.QuotePrice.Do(ctx, c, app.QuoteRequest{}); return err },
		"CancelPendingChange":            func(c identity.Identity) error { _, err := f.CancelPendingChange.Do(ctx, c); return err },
		"CancelScheduledChange":          func(c identity.Identity) error { _, err := f.CancelScheduledChange.Do(ctx, c); return err },
		"EndSubscription":                func(c identity.Identity) error { _, err := f.EndSubscription.Do(ctx, c, app.EndRequest{}); return err },
		"ResumeSubscription":             func(c identity.Identity) error { _, err := f.ResumeSubscription.Do(ctx, c); return err },
	}
	for role, allowed := range map[account.Role]struct{ read, write bool }{
		account.Owner: {true, true}, account.BillingMember: {true, true}, account.ReadingMember: {true, false}, "": {false, false},
	} {
		caller := owner
		caller.Role = role
		for name, call := range readers {
			assert.Equal(t, !allowed.read, fault.Is(call(caller), fault.Forbidden), "%s as %q", name, role)
		}
		for name, call := range writers {
			assert.Equal(t, !allowed.write, fault.Is(call(caller), fault.Forbidden), "%s as %q", name, role)
		}
	}
}
