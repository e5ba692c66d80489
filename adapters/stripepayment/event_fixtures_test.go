package stripepayment_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/stripe/stripe-go/v85"

	"github.com/vc-admin/diy/ports/payment"
)

// published is one of the files that Stripe publishes with stripe-mock, which a new machine has to
// download first.
func published(t *testing.T, name string, out any) {
	t.Helper()
	var module struct{ Dir string }
	downloaded := tool(t, "mod", "download", "-modfile=../../tools/go.mod", "-json", "github.com/stripe/stripe-mock")
	require.NoError(t, json.Unmarshal([]byte(downloaded), &module))
	text, err := os.ReadFile(filepath.Join(module.Dir, "embedded", "openapi", name))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, out))
}

// fixtures are Stripe's own example of every object.
func fixtures(t *testing.T) map[string]object {
	t.Helper()
	var file struct {
		Resources map[string]object `json:"resources"`
	}
	published(t, "fixtures3.json", &file)
	require.NotEmpty(t, file.Resources)
	return file.Resources
}

// eventTypes are all names of events an endpoint can be told of.
func eventTypes(t *testing.T) []string {
	t.Helper()
	var file struct {
		Paths map[string]map[string]struct {
			RequestBody struct {
				Content map[string]struct {
					Schema struct {
						Properties map[string]struct {
							Items struct {
								Enum []string `json:"enum"`
							} `json:"items"`
						} `json:"properties"`
					} `json:"schema"`
				} `json:"content"`
			} `json:"requestBody"`
		} `json:"paths"`
	}
	published(t, "spec3.json", &file)
	form := file.Paths["/v1/webhook_endpoints"]["post"].RequestBody.Content["application/x-www-form-urlencoded"]
	types := form.Schema.Properties["enabled_events"].Items.Enum
	require.NotEmpty(t, types)
	return types
}

func TestStripesOwnEventIsRead(t *testing.T) {
	own := fixtures(t)["event"].with(object{"api_version": stripe.APIVersion})
	got, err := deliver(t, newScript(t).provider(), own)
	require.NoError(t, err)
	assert.Equal(t, payment.Other, got.Kind)
	assert.Equal(t, "plan.created", got.Type)
	assert.Equal(t, own["id"], got.ID)
}

// TestEveryEventAboutStripesOwnObjectsIsRead puts Stripe's examples into events of every name there
// is: an event about a subscription has its id, and none is a failure.
func TestEveryEventAboutStripesOwnObjectsIsRead(t *testing.T) {
	p, all := newScript(t).provider(), fixtures(t)
	for _, name := range eventTypes(t) {
		about, known := all[resourceOf(name)]
		if name == "*" || !known {
			about = all["customer"]
		}
		got, err := deliver(t, p, event(name, about))
		require.NoError(t, err, name)
		assert.Equal(t, name, got.Type)
		switch {
		case strings.HasPrefix(name, "customer.subscription."):
			assert.Equal(t, payment.SubscriptionChanged, got.Kind, name)
			assert.Equal(t, about["id"], got.SubscriptionID, name)
			assert.Equal(t, about["customer"], got.CustomerID, name)
		case strings.HasPrefix(name, "payment_method."), name == "customer.updated":
			assert.Equal(t, payment.CustomerChanged, got.Kind, name)
		}
	}
}

// TestNoObjectIsAFailure has events about each of Stripe's objects, whatever they are.
func TestNoObjectIsAFailure(t *testing.T) {
	p := newScript(t).provider()
	for name, about := range fixtures(t) {
		_, err := deliver(t, p, event("something.happened", about))
		assert.NoError(t, err, name)
	}
}

// resourceOf is the object that an event of the name is about.
func resourceOf(name string) string {
	kind := name[:max(strings.LastIndex(name, "."), 0)]
	if kind == "customer.subscription" {
		return "subscription"
	}
	return kind
}
