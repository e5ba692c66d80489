package releases

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/fakegateway"
	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/app/apptest"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/payment/plugin"
)

// readings contains the results of the use cases that read from a database.
type readings struct {
	At            time.Time // of the clock
	Organisations []organisation
	KeptInvoices  []string
}

// organisation is what operators, the owner and the members see of an organisation. Its fields are texts instead of
// domain values, so that a new field does not change the readings of earlier releases.
type organisation struct {
	ID, Name, Contact                   string
	Details, License, Hold, Erasure     string   `json:",omitempty"`
	Plan, NextCharge, Credit, End, Card string   `json:",omitempty"`
	Pending, Scheduled, OpenPayment     string   `json:",omitempty"`
	Invoices, Invitations, Members      []string `json:",omitempty"`
	Entries                             int      // of the timeline
}

// read reads every organisation of the migrated database.
func (d database) read(t *testing.T, url string, at time.Time) readings {
	t.Helper()
	env := apptest.New(t, apptest.WithDatabase(url), apptest.WithGateway(fakegateway.CardsAndDebits(), nil), apptest.WithStart(at))
	_, invoiceApp := openInvoices(env, plugin.Settings{})
	result := readings{At: at}
	for _, id := range queryStrings(t, d.open(t, url), "SELECT id FROM organisations ORDER BY id") {
		org, err := env.Store.Organisation(t.Context(), id)
		require.NoError(t, err)
		server := env.App
		if strings.HasPrefix(org.Billing.CustomerID, invoiceCustomerPrefix) {
			server = invoiceApp
		}
		result.Organisations = append(result.Organisations, readOrganisation(t, server, id))
	}
	for _, number := range queryStrings(t, d.open(t, url), "SELECT number FROM kept_invoices ORDER BY number") {
		kept, err := env.App.FindKeptInvoices.Do(asOperator(t.Context()), number)
		require.NoError(t, err)
		for _, k := range kept {
			result.KeptInvoices = append(result.KeptInvoices,
				fmt.Sprint(number, " of ", k.Addressee.Name, ", ", text(k.Invoice.Total), ", until ", k.KeepUntil.Format(time.DateOnly)))
		}
	}
	return result
}

// text returns an amount in minor units with its currency, "" for the zero Amount.
func text(a money.Amount) string {
	if a == (money.Amount{}) {
		return ""
	}
	return fmt.Sprint(a.Minor(), " ", a.Currency().Code)
}

func readOrganisation(t *testing.T, server *app.UseCases, id string) organisation {
	t.Helper()
	ctx := asOperator(t.Context())
	view, err := server.ViewOrganisation.Do(ctx, id)
	require.NoError(t, err)
	owner := identity.Identity{OrganisationID: id, Role: account.Owner, UserID: view.Team.Members[0].UserID}
	_, org, err := server.DescribeUser.Do(ctx, owner)
	require.NoError(t, err)
	result := organisation{ID: id, Name: org.Name, Contact: org.ContactEmail, Hold: string(org.Billing.Hold())}
	if org.Details != nil {
		result.Details = fmt.Sprintf("%+v", *org.Details)
	}
	if license := org.Billing.License(); license != nil {
		result.License = fmt.Sprint(license.Price, " ", license.Status, " ", license.IsDev)
	}
	result.readBilling(t, server, owner, org)
	result.readTeam(t, server, view.Team)
	timeline, err := server.ShowTimeline.Do(ctx, id, "", 0)
	require.NoError(t, err)
	result.Entries = len(timeline.Entries)
	privacy, err := server.ShowPrivacy.Do(ctx, owner)
	require.NoError(t, err)
	if !privacy.Erasure.DueAt.IsZero() {
		result.Erasure = privacy.Erasure.DueAt.Format(time.RFC3339)
	}
	return result
}

// readBilling reads the plan and the invoices.
func (o *organisation) readBilling(t *testing.T, server *app.UseCases, owner identity.Identity, org account.Organisation) {
	t.Helper()
	summary, err := server.ShowBilling.Do(t.Context(), owner)
	require.NoError(t, err)
	o.Credit = text(summary.Credit)
	if summary.Card != nil {
		o.Card = summary.Card.DisplayName()
	}
	if summary.NextCharge != nil {
		o.NextCharge = fmt.Sprint(text(summary.NextCharge.Amount), " at ", summary.NextCharge.At.Format(time.RFC3339))
	}
	if summary.End != nil {
		o.End = fmt.Sprint(summary.End.Kind, " at ", summary.End.At.Format(time.RFC3339))
	}
	for _, sub := range org.Billing.Subscriptions {
		o.Plan += fmt.Sprint(sub.Price, " ", sub.Status, " ", text(sub.Amount), " until ", sub.CurrentPeriodEnd.Format(time.RFC3339), "; ")
		if sub.Pending != nil {
			o.Pending = fmt.Sprint(sub.Pending.To, " ", text(sub.Pending.Amount))
		}
		if sub.Scheduled != nil {
			o.Scheduled = fmt.Sprint(sub.Scheduled.To, " at ", sub.Scheduled.At.Format(time.RFC3339))
		}
	}
	if open := org.Billing.OpenPayment(); open != nil {
		o.OpenPayment = fmt.Sprint(open.Kind, " ", text(open.Amount))
	}
	if org.Billing.CustomerID == "" {
		return
	}
	list, err := server.ListInvoices.Do(t.Context(), owner, 100, "")
	require.NoError(t, err)
	for _, i := range list.Invoices {
		o.Invoices = append(o.Invoices, invoiceText(i))
	}
}

func invoiceText(i billing.Invoice) string {
	return fmt.Sprint(i.Number, " ", i.Status, ", total ", text(i.Total), ", due ", text(i.AmountDue), ", paid ", text(i.AmountPaid),
		", refunded ", text(i.Refunded), ", returned ", text(i.Returned), ", credited ", text(i.Credited))
}

// readTeam reads the members with their credentials, and the invitations.
func (o *organisation) readTeam(t *testing.T, server *app.UseCases, team account.Team) {
	t.Helper()
	for _, invitation := range team.Invitations {
		o.Invitations = append(o.Invitations, fmt.Sprint(invitation.Email, " ", invitation.Role))
	}
	for _, member := range team.Members {
		caller := identity.Identity{OrganisationID: o.ID, Role: member.Role, UserID: member.UserID}
		credentials, _, err := server.ShowAccount.Do(t.Context(), caller)
		require.NoError(t, err)
		line := fmt.Sprint(member.Email, " ", member.Role, ", verified ", credentials.User.IsVerified(), ", two-step ", credentials.User.HasTwoStep(),
			", codes ", len(credentials.RecoveryCodes), ", undos ", len(credentials.Undos))
		for _, a := range credentials.Authenticators {
			line += fmt.Sprint(", ", a.Kind, " ", a.Name, " ", a.Passkey.CredentialID)
		}
		if credentials.EmailChange != nil {
			line += ", changes to " + credentials.EmailChange.Email
		}
		o.Members = append(o.Members, line)
	}
}
