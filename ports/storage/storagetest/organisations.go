package storagetest

import (
	"errors"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/storage"
)

var organisationScenarios = []scenario{
	{"an unknown organisation is NotFound", testUnknownOrganisation},
	{"OrganisationByCustomer returns the organisation of the customer", testOrganisationByCustomer},
	{"UpdateOrganisation stores every field", testUpdateStoresEveryField},
	{"UpdateOrganisation returns the stored values", testUpdateReturnsStoredValues},
	{"UpdateOrganisation keeps id and creation time", testUpdateKeepsIDAndCreatedAt},
	{"UpdateOrganisation rolls back on an error", testUpdateRollsBackOnError},
	{"UpdateOrganisation rolls back on a panic", testUpdateRollsBackOnPanic},
	{"concurrent updates are all stored", testConcurrentUpdates},
	{"concurrent edits keep a confirmed billing email", testConcurrentConfirmationAndEdits},
	{"UpdateOrganisation with the name of another organisation returns Duplicate", testUpdateToTakenName},
	{"UpdateOrganisation with the customer of another organisation returns Conflict", testCustomerIsUnique},
}

func testUnknownOrganisation(t *testing.T, h Harness) {
	s := h.Open(t)
	storeSignUp(t, s, "ada")
	_, err := s.Organisation(t.Context(), "unknown")
	requireFault(t, fault.NotFound, err)
	_, err = s.UpdateOrganisation(t.Context(), "unknown", func(*account.Organisation) error {
		t.Error("change was called")
		return nil
	})
	requireFault(t, fault.NotFound, err)
}

// testOrganisationByCustomer also checks that the empty id does not find an organisation without a customer.
func testOrganisationByCustomer(t *testing.T, h Harness) {
	s := h.Open(t)
	storeSignUp(t, s, "without")
	want := storeSignUp(t, s, "with").Organisation
	want = updateOrganisation(t, s, want.ID, func(o *account.Organisation) { o.Billing.CustomerID = "customer" })

	foundOrg, err := s.OrganisationByCustomer(t.Context(), "customer")
	require.NoError(t, err)
	require.Equal(t, want, foundOrg)
	for _, id := range []string{"", "Customer", "unknown"} {
		_, err = s.OrganisationByCustomer(t.Context(), id)
		requireFault(t, fault.NotFound, err)
	}
}

// testUpdateStoresEveryField sets all fields, changes them, and clears them.
func testUpdateStoresEveryField(t *testing.T, h Harness) {
	s := h.Open(t)
	requireNoZeroFields(t, fullOrganisation(newOrganisation("ada")))
	otherOrg, initialOrg := storeSignUp(t, s, "other").Organisation, storeSignUp(t, s, "ada").Organisation

	for _, want := range []account.Organisation{fullOrganisation(initialOrg), changedOrganisation(initialOrg), initialOrg} {
		updatedOrg := updateOrganisation(t, s, initialOrg.ID, func(o *account.Organisation) { *o = want })
		require.Equal(t, want, updatedOrg)
		requireOrganisation(t, s, want)
	}
	requireOrganisation(t, s, otherOrg)
}

// testUpdateReturnsStoredValues checks that times are returned in UTC with microseconds, as they are stored.
func testUpdateReturnsStoredValues(t *testing.T, h Harness) {
	s := h.Open(t)
	initialOrg := storeSignUp(t, s, "ada").Organisation
	nanoseconds := noon.Add(999 * time.Nanosecond).In(time.FixedZone("west", -9*60*60))
	updatedOrg := updateOrganisation(t, s, initialOrg.ID, func(o *account.Organisation) {
		*o = fullOrganisation(*o)
		o.Billing.TrialUsedAt, o.Billing.DevLicense.TrialEnd = nanoseconds, nanoseconds
	})
	want := fullOrganisation(initialOrg)
	want.Billing.TrialUsedAt, want.Billing.DevLicense.TrialEnd = noon, noon
	require.Equal(t, want, updatedOrg)
	requireOrganisation(t, s, want)
}

// fullOrganisation sets all fields that newSignUp leaves empty.
func fullOrganisation(o account.Organisation) account.Organisation {
	o.Details, o.DetailsSentTo = &account.BillingDetails{
		LegalName: "Legal name", BillingEmail: "accounts@example.com", Phone: "+49 30 1234", PurchaseOrder: "PO 1",
		Address: account.Address{Line1: "l", Line2: "m", City: "c", State: "s", PostalCode: "p", Country: "DE"},
		TaxID:   &account.TaxID{Type: "eu_vat", Value: "DE123456789"}, UnconfirmedEmail: "new@example.com", OmitPDF: true,
	}, "customer before"
	o.SentContactEmail = "before@example.test"
	o.Billing = billing.Account{
		CustomerID: "customer", Currency: "EUR", TrialUsedAt: noon.Add(time.Microsecond), Revision: 1 << 40,
		CheckAt: noon.Add(3 * time.Microsecond), OwingSubscriptionID: "owed",
		LastVoidedInvoice: billing.VoidedInvoice{SubscriptionID: "voided", At: noon.Add(5 * time.Microsecond)},
		TransferReport:    billing.TransferReport{InvoiceID: "reported", At: noon.Add(7 * time.Microsecond)},
		DevLicense: &billing.License{
			ID: "developer", Status: billing.Active, IsDev: true,
			Price:            catalogue.PriceRef{Product: "enterprise", Interval: catalogue.Yearly, Currency: "AUD"},
			CurrentPeriodEnd: noon.AddDate(1, 0, 0), TrialEnd: noon.AddDate(0, 0, 7),
		},
		Subscriptions: []billing.Subscription{newSubscription("sub", billing.Trialing, noon)},
	}
	return o
}

// changedOrganisation returns the organisation with other values than fullOrganisation.
func changedOrganisation(o account.Organisation) account.Organisation {
	o = fullOrganisation(o)
	o.Name, o.ContactEmail, o.Phone, o.Currency = "Žižkov clinic", "zz@example.test", "9000.0001", "GBP"
	o.Address = account.Address{Line1: "a", Line2: "b", City: "c", State: "d", PostalCode: "e", Country: "NZ"}
	o.Choice = account.Choice{Product: "standard", Interval: catalogue.Monthly}
	o.Billing.CustomerID, o.Billing.Currency, o.Billing.TrialUsedAt = "other", "GBP", noon.Add(time.Second)
	o.Billing.Revision++
	o.Billing.CheckAt = noon.Add(time.Hour)
	o.Billing.TransferReport = billing.TransferReport{InvoiceID: "reported later", At: noon.Add(time.Hour)}
	o.Details.OmitPDF = false
	o.Billing.DevLicense = &billing.License{ID: "bare", IsDev: true}
	sub := newSubscription("changed", billing.PastDue, noon.Add(time.Hour))
	sub.ID = "sub"
	o.Billing.Subscriptions = []billing.Subscription{sub}
	return o
}

func testUpdateKeepsIDAndCreatedAt(t *testing.T, h Harness) {
	s := h.Open(t)
	o := storeSignUp(t, s, "ada").Organisation
	o.Phone = "changed"
	updatedOrg := updateOrganisation(t, s, o.ID, func(storedOrg *account.Organisation) {
		storedOrg.ID, storedOrg.CreatedAt, storedOrg.Phone = "another", noon.Add(time.Hour), "changed"
	})
	require.Equal(t, o, updatedOrg)
	requireOrganisation(t, s, o)
	_, err := s.Organisation(t.Context(), "another")
	requireFault(t, fault.NotFound, err)
}

// testUpdateRollsBackOnError checks that UpdateOrganisation returns the callback's error unchanged, for a fault
// and for another error.
func testUpdateRollsBackOnError(t *testing.T, h Harness) {
	s := h.Open(t)
	o := updateOrganisation(t, s, storeSignUp(t, s, "ada").Organisation.ID, addSubscription)
	for _, errRefused := range []error{errors.New("no"), fault.New(fault.Conflict, "Not now")} {
		updatedOrg, err := s.UpdateOrganisation(t.Context(), o.ID, func(o *account.Organisation) error {
			changeEverything(o)
			return errRefused
		})
		require.Same(t, errRefused, err)
		require.Zero(t, updatedOrg)
		requireOrganisation(t, s, o)
	}
}

// testUpdateRollsBackOnPanic also checks that no lock remains after the panic.
func testUpdateRollsBackOnPanic(t *testing.T, h Harness) {
	s := h.Open(t)
	o := updateOrganisation(t, s, storeSignUp(t, s, "ada").Organisation.ID, addSubscription)
	require.PanicsWithValue(t, "panic in change", func() {
		_, _ = s.UpdateOrganisation(t.Context(), o.ID, func(o *account.Organisation) error {
			changeEverything(o)
			panic("panic in change")
		})
	})
	requireOrganisation(t, s, o)
	o.Phone = "later"
	updateOrganisation(t, s, o.ID, func(storedOrg *account.Organisation) { storedOrg.Phone = "later" })
	requireOrganisation(t, s, o)
}

// addSubscription adds a customer and a live subscription.
func addSubscription(o *account.Organisation) {
	o.Billing.CustomerID = "customer"
	o.Billing.RecordSubscriptions(newSubscription("sub", billing.Active, noon))
}

// changeEverything changes the organisation, its subscription and values behind pointers.
func changeEverything(o *account.Organisation) {
	o.Name, o.Phone, o.Billing.CustomerID = "changed", "changed", "changed"
	o.Billing.Subscriptions[0].Status = billing.Canceled
	o.Billing.Subscriptions[0].LatestInvoice.Payment.Status = billing.Succeeded
	o.Billing.RecordSubscriptions(newSubscription("changed", billing.Active, noon))
}

// testConcurrentUpdates lets each worker increment a number and add a subscription, and checks that no update is
// lost.
func testConcurrentUpdates(t *testing.T, h Harness) {
	s := h.Open(t)
	o := storeSignUp(t, s, "ada").Organisation
	o = updateOrganisation(t, s, o.ID, func(o *account.Organisation) { o.Phone = "0" })
	h.runConcurrently(t, s, func(worker int, store storage.Store) {
		_, err := store.UpdateOrganisation(t.Context(), o.ID, incrementPhoneAndAddSubscription(worker))
		assert.NoError(t, err)
	})

	storedOrg, err := s.Organisation(t.Context(), o.ID)
	require.NoError(t, err)
	require.Equal(t, strconv.Itoa(workers), storedOrg.Phone)
	require.Len(t, storedOrg.Billing.Subscriptions, workers)
	for i, sub := range storedOrg.Billing.Subscriptions {
		require.Equal(t, strconv.Itoa(workers-1-i), sub.ID)
	}
}

// testConcurrentConfirmationAndEdits confirms a billing email while other workers store edits that were decided before.
func testConcurrentConfirmationAndEdits(t *testing.T, h Harness) {
	s := h.Open(t)
	const earlierEmail, confirmedEmail = "earlier@example.test", "confirmed@example.test"
	org := updateOrganisation(t, s, storeSignUp(t, s, "ada").Organisation.ID, func(o *account.Organisation) {
		o.Details = &account.BillingDetails{
			LegalName: o.Name, Address: o.Address, BillingEmail: earlierEmail, UnconfirmedEmail: confirmedEmail,
		}
	})
	edits := make([]account.BillingDetails, workers)
	for worker := range edits {
		edits[worker], _ = org.EditDetails(func(d *account.BillingDetails) {
			d.BillingEmail = []string{confirmedEmail, earlierEmail, "other@example.test"}[worker%3]
		})
	}
	h.runConcurrently(t, s, func(worker int, store storage.Store) {
		_, err := store.UpdateOrganisation(t.Context(), org.ID, func(o *account.Organisation) error {
			if worker == 0 {
				o.Details.UnconfirmedEmail = confirmedEmail // another edit may have replaced it
				o.ConfirmBillingEmail(confirmedEmail)
				return nil
			}
			o.SetDetails(edits[worker], "customer")
			return nil
		})
		assert.NoError(t, err)
	})

	storedOrg, err := s.Organisation(t.Context(), org.ID)
	require.NoError(t, err)
	require.Equal(t, confirmedEmail, storedOrg.BillingDetails().BillingEmail)
}

func incrementPhoneAndAddSubscription(worker int) func(*account.Organisation) error {
	return func(o *account.Organisation) error {
		count, err := strconv.Atoi(o.Phone)
		o.Phone = strconv.Itoa(count + 1)
		createdAt := noon.Add(time.Duration(worker) * time.Second)
		o.Billing.RecordSubscriptions(newSubscription(strconv.Itoa(worker), billing.Canceled, createdAt))
		return err
	}
}

func testUpdateToTakenName(t *testing.T, h Harness) {
	requireUpdateFails(t, h, fault.Duplicate, func(o *account.Organisation) { o.Name = "  PRACTICE of first" })
}

func testCustomerIsUnique(t *testing.T, h Harness) {
	requireUpdateFails(t, h, fault.Conflict, func(o *account.Organisation) { o.Billing.CustomerID = "customer of first" })
}
