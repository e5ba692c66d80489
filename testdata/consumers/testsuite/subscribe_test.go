// Package testsuite shows how another project tests against the application with the fake payment provider.
package testsuite

import (
	"testing"
	"time"

	"github.com/vc-admin/diy/app/apptest"
	"github.com/vc-admin/diy/domain/billing"
)

func TestClinic_IsChargedWhenItsTrialEnds(t *testing.T) {
	env := apptest.New(t)
	clinic := env.SignUp("harbour")

	clinic.Subscribe(apptest.Visa, apptest.StandardMonthly)
	if charges := clinic.Charges(); len(charges) != 0 {
		t.Fatalf("charged during the trial: %v", charges)
	}
	env.Advance(7 * 24 * time.Hour)

	charges := clinic.Charges()
	if len(charges) != 1 || charges[0].Amount != 3900 || charges[0].Currency != "AUD" {
		t.Fatalf("charges = %v, want one of 39.00 AUD", charges)
	}
}

func TestClinic_PaysAnOverdueInvoiceWithAnotherCard(t *testing.T) {
	env := apptest.New(t)
	clinic := env.SignUp("harbour")
	clinic.SubscribeWithoutTrial(apptest.PaysOnceCard, apptest.StandardMonthly)
	requireStatus(t, clinic, "active")

	env.Advance(32 * 24 * time.Hour)
	requireStatus(t, clinic, "past_due")
	if s := clinic.Pay(""); s.Status != "past_due" {
		t.Fatalf("the card that pays once has paid twice: %v", s.Status)
	}
	clinic.Pay(apptest.Visa)

	requireStatus(t, clinic, "active")
	if charges := clinic.Charges(); len(charges) != 2 {
		t.Fatalf("charges = %v, want two", charges)
	}
}

func TestClinic_EndsAndResumesItsPlan(t *testing.T) {
	env := apptest.New(t)
	clinic := env.SignUp("harbour")
	clinic.Subscribe(apptest.Visa, apptest.StandardMonthly)

	if s := clinic.End(); !s.EndsAt.Equal(s.TrialEnd) {
		t.Fatalf("ends at %v, want the end of the trial at %v", s.EndsAt, s.TrialEnd)
	}
	if s := clinic.Resume(); !s.EndsAt.IsZero() {
		t.Fatalf("ends at %v, want no end", s.EndsAt)
	}
	clinic.End()
	env.Advance(8 * 24 * time.Hour)

	requireStatus(t, clinic, "")
	if charges := clinic.Charges(); len(charges) != 0 {
		t.Fatalf("charged after the end: %v", charges)
	}
}

// requireStatus requires the status of the clinic's license, "" for none.
func requireStatus(t *testing.T, clinic *apptest.User, want billing.Status) {
	t.Helper()
	if status := clinic.LicenseStatus(); status != want {
		t.Fatalf("the license is %q, want %q", status, want)
	}
}
