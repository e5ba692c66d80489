package billing_test

import (
	"testing"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/domaintest"
)

type buttonIn struct {
	Mode billing.Mode `json:"mode"`
	Plan struct {
		ID       string `json:"id"`
		Disabled bool   `json:"disabled"`
	} `json:"plan"`
	Priced   bool               `json:"priced"`
	Interval catalogue.Interval `json:"interval"`
	License  *wireLicense       `json:"license"`
	Trial    bool               `json:"trialUsed"`
}

type buttonWant struct {
	Label    string         `json:"label"`
	Disabled bool           `json:"disabled"`
	Action   billing.Action `json:"action"`
}

func TestButtonOf(t *testing.T) {
	domaintest.Run(t, "button", func(in buttonIn) buttonWant {
		return buttonWant(billing.ButtonOf(billing.ButtonInput{
			Mode: in.Mode, Product: in.Plan.ID, Disabled: in.Plan.Disabled, Priced: in.Priced,
			Interval: in.Interval, License: in.License.domain(), TrialUsed: in.Trial,
		}))
	})
}
