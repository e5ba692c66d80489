package app_test

import (
	"context"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/flakypayment"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/storage"
)

// changeEmail changes the email address of a user.
func (f *fixture) changeEmail(userID, email string) {
	f.t.Helper()
	_, err := f.Store.UpdateCredentials(f.t.Context(), userID, f.Clock.Now(),
		func(c *account.Credentials) (storage.CredentialsEffects, error) {
			c.User.Email = email
			return storage.CredentialsEffects{}, nil
		})
	require.NoError(f.t, err)
}

// emailProvider records the email address of each customer.
type emailProvider struct {
	payment.Provider
	emails map[string]string // by customer
}

func (p *emailProvider) CreateCustomer(ctx context.Context, req payment.NewCustomer) (billing.Customer, error) {
	customer, err := p.Provider.CreateCustomer(ctx, req)
	if err == nil {
		p.emails[customer.ID] = req.Email
	}
	return customer, err
}

func (p *emailProvider) UpdateCustomer(ctx context.Context, req payment.CustomerUpdate) (billing.Customer, error) {
	customer, err := p.Provider.UpdateCustomer(ctx, req)
	if err == nil && req.Email != "" {
		p.emails[customer.ID] = req.Email
	}
	return customer, err
}

// customerEmails returns the email addresses of all customers.
func (p *emailProvider) customerEmails() []string { return slices.Collect(maps.Values(p.emails)) }

// newEmailFixture returns a fixture whose provider records email addresses and fails according to the plan.
func newEmailFixture(t *testing.T, plan flakypayment.FaultPlan) (*fixture, *emailProvider) {
	t.Helper()
	f := newFixture(t)
	p := &emailProvider{Provider: f.provider, emails: map[string]string{}}
	f.UseCases = f.NewApp(f.Store, flakypayment.New(p, plan))
	f.App = f.UseCases
	return f, p
}

func TestRefreshBilling_SendsAChangedContactEmailToTheProvider(t *testing.T) {
	for _, kind := range []flakypayment.FaultKind{"", flakypayment.TimeoutBeforeExecution, flakypayment.TimeoutAfterExecution} {
		t.Run("fault "+string(kind), func(t *testing.T) {
			plan := flakypayment.NoFaults
			if kind != "" {
				plan = failOnce("UpdateCustomer", kind)
			}
			f, p := newEmailFixture(t, plan)
			caller := f.signUp()
			f.changeEmail(caller.UserID, "new@example.com")

			_, err := f.RefreshBilling.Do(t.Context())
			require.NoError(t, err)
			f.Advance(takeoverWait)
			_, err = f.Reconcile.Do(t.Context())

			require.NoError(t, err)
			assert.Equal(t, []string{"new@example.com"}, p.customerEmails())
			org, err := f.Store.Organisation(t.Context(), caller.OrganisationID)
			require.NoError(t, err)
			assert.False(t, org.NeedsCustomerUpdate())
			assert.Nil(t, org.Details, "the details stay those of the registration")
			f.RequireNoPendingOperations()
		})
	}
}

func TestReconcile_SendsTheContactEmailThatChangedDuringAnOperation(t *testing.T) {
	f, p := newEmailFixture(t, failOnce("UpdateCustomer", flakypayment.TimeoutAfterExecution))
	caller := f.signUp()
	f.changeEmail(caller.UserID, "second@example.com")
	_, err := f.RefreshBilling.Do(t.Context())
	require.NoError(t, err)
	f.changeEmail(caller.UserID, "ann@example.com")

	f.Advance(takeoverWait)
	_, err = f.Reconcile.Do(t.Context())

	require.NoError(t, err)
	assert.Equal(t, []string{"ann@example.com"}, p.customerEmails())
	f.RequireNoPendingOperations()
}

func TestRefreshBilling_SendsTheNextOwnersEmailAfterAnOwnerHasLeft(t *testing.T) {
	f, p := newEmailFixture(t, flakypayment.NoFaults)
	owner := f.Env.SignUp("ann")
	f.Advance(takeoverWait) // the members join one after another
	f.Member(owner, "ben", account.Owner)
	leaving := owner.Identity
	leaving.AuthenticatedAt = f.Clock.Now()
	_, err := f.LeaveOrganisation.Do(t.Context(), leaving)
	require.NoError(t, err)

	_, err = f.RefreshBilling.Do(t.Context())

	require.NoError(t, err)
	assert.Equal(t, []string{"ben@example.com"}, p.customerEmails())
}

func TestRefreshBilling_KeepsCorrectionsOfAnOperatorWhenItSendsTheContactEmail(t *testing.T) {
	f, p, _, _ := newCorrectedFixture(t)
	org, err := f.Store.OrganisationByCustomer(t.Context(), f.CustomerIDs()[0])
	require.NoError(t, err)
	team, err := f.Store.Team(t.Context(), org.ID)
	require.NoError(t, err)
	f.changeEmail(team.Members[0].UserID, "new@example.com")

	_, err = f.RefreshBilling.Do(t.Context())

	require.NoError(t, err)
	assert.Equal(t, "Perth", p.details[org.Billing.CustomerID].Address.City)
}

// unansweredCreationProvider doesn't respond to the first creation of a customer, and records the requests.
type unansweredCreationProvider struct {
	*emailProvider
	creations []payment.NewCustomer
	owners    []payment.Owner
}

func (p *unansweredCreationProvider) CreateCustomer(ctx context.Context, req payment.NewCustomer) (billing.Customer, error) {
	p.creations = append(p.creations, req)
	if len(p.creations) == 1 {
		return billing.Customer{}, fault.New(fault.Unavailable, "no response")
	}
	return p.emailProvider.CreateCustomer(ctx, req)
}

func (p *unansweredCreationProvider) CustomerOf(ctx context.Context, owner payment.Owner) (billing.Customer, error) {
	p.owners = append(p.owners, owner)
	return p.emailProvider.CustomerOf(ctx, owner)
}

// The provider refuses a repeat with other parameters, and Stripe finds the customer by its email address.
func TestReconcile_RepeatsTheCreationOfACustomerWithItsEmail(t *testing.T) {
	f, recorder := newEmailFixture(t, flakypayment.NoFaults)
	p := &unansweredCreationProvider{emailProvider: recorder}
	f.UseCases = f.NewApp(f.Store, p)
	caller := f.signUp()
	f.changeEmail(caller.UserID, "new@example.com")

	f.Advance(takeoverWait)
	_, err := f.Reconcile.Do(t.Context())

	require.NoError(t, err)
	require.Len(t, p.creations, 2)
	assert.Equal(t, p.creations[0], p.creations[1])
	assert.Equal(t, []payment.Owner{{OrganisationID: caller.OrganisationID, Email: p.creations[0].Email}}, p.owners)
	assert.Equal(t, []string{"new@example.com"}, p.customerEmails(), "the changed address is sent afterwards")
	f.RequireNoPendingOperations()
}
