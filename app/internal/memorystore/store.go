// Package memorystore contains a store of one organisation for the tests of packages that are below the use cases.
package memorystore

import (
	"context"
	"slices"
	"sync"

	"github.com/vc-admin/diy/app/internal/mocks"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/storage"
)

// Store contains one organisation. Its operations are mocked.
type Store struct {
	*mocks.Operations
	unimplementedOrganisations

	mu              sync.Mutex
	Org             account.Organisation
	OrganisationErr error // returned by Organisation
	StoredInvoices  []billing.Invoice
	LastUpdate      storage.BillingUpdate // of the last UpdateBilling
}

// unimplementedOrganisations provides the methods that the tests don't call.
type unimplementedOrganisations struct{ storage.Organisations }

// Organisation returns Org and OrganisationErr.
func (s *Store) Organisation(context.Context, string) (account.Organisation, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.Org, s.OrganisationErr
}

// UpdateOrganisation applies fn to Org.
func (s *Store) UpdateOrganisation(
	_ context.Context, _ string, fn func(*account.Organisation) error,
) (account.Organisation, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	org := s.Org
	org.Billing.Subscriptions = slices.Clone(org.Billing.Subscriptions) // callers still read the current ones
	if err := fn(&org); err != nil {
		return org, err
	}
	s.Org = org
	return org, nil
}

// Invoices returns StoredInvoices.
func (s *Store) Invoices(context.Context, string) ([]billing.Invoice, error) {
	return s.StoredInvoices, nil
}

// Notices returns no notices.
func (s *Store) Notices(context.Context, string, ...billing.NoticeKind) ([]billing.Notice, error) {
	return nil, nil
}

// UpdateBilling stores the update in LastUpdate and updates the organisation. It leaves StoredInvoices unchanged.
func (s *Store) UpdateBilling(
	ctx context.Context, id string, update storage.BillingUpdate, fn func(*account.Organisation) error,
) (account.Organisation, error) {
	s.LastUpdate = update
	return s.UpdateOrganisation(ctx, id, fn)
}
