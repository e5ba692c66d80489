package billing_test

import (
	"testing"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/domaintest"
)

type wireRef struct {
	Product  string             `json:"product"`
	Interval catalogue.Interval `json:"interval"`
	Currency string             `json:"currency"`
}

type targetIn struct {
	Action     billing.Action `json:"action"`
	To         wireRef        `json:"to"`
	Debug      bool           `json:"debug"`
	SignedIn   bool           `json:"signedIn"`
	CustomerID string         `json:"customerId"`
	License    *wireLicense   `json:"license"`
}

type targetWant struct {
	Screen billing.Screen `json:"screen"`
	Query  [][2]string    `json:"query"`
	State  *wireChange    `json:"state"`
}

type wireChange struct {
	From *wireRef     `json:"from"`
	To   wireRef      `json:"to"`
	Mode billing.Mode `json:"mode"`
}

func TestTargetOf(t *testing.T) {
	domaintest.Run(t, "target", func(in targetIn) targetWant {
		return wireTarget(billing.TargetOf(billing.TargetInput{
			Action: in.Action, To: catalogue.PriceRef(in.To), Debug: in.Debug,
			SignedIn: in.SignedIn, CustomerID: in.CustomerID, License: in.License.domain(),
		}))
	})
}

func wireTarget(target billing.Target) targetWant {
	want := targetWant{Screen: target.Screen, Query: [][2]string{}}
	for _, p := range target.Query {
		want.Query = append(want.Query, [2]string{p.Key, p.Value})
	}
	if c := target.Change; c != nil {
		want.State = &wireChange{From: (*wireRef)(c.From), To: wireRef(c.To), Mode: c.Mode}
	}
	return want
}
