// Package testsuite is a test of another project that runs the application on the fake payment provider.
package testsuite

import (
	"testing"
	"time"

	"github.com/vc-admin/diy/app/apptest"
)

func TestClinicIsChargedWhenItsTrialEnds(t *testing.T) {
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
