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

// readPublishedFile decodes one of the files that Stripe publishes with stripe-mock. It downloads the module if
// necessary.
func readPublishedFile(t *testing.T, name string, target any) {
	t.Helper()
	var module struct{ Dir string }
	output := runGo(t, "mod", "download", "-modfile=../../tools/go.mod", "-json", "github.com/stripe/stripe-mock")
	require.NoError(t, json.Unmarshal([]byte(output), &module))
	text, err := os.ReadFile(filepath.Join(module.Dir, "embedded", "openapi", name))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, target))
}

// readPublishedObjects returns Stripe's example of each type of object, by type.
func readPublishedObjects(t *testing.T) map[string]object {
	t.Helper()
	var file struct {
		Resources map[string]object `json:"resources"`
	}
	readPublishedFile(t, "fixtures3.json", &file)
	require.NotEmpty(t, file.Resources)
	return file.Resources
}

// readPublishedEventTypes returns all types of events that an endpoint can subscribe to.
func readPublishedEventTypes(t *testing.T) []string {
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
	readPublishedFile(t, "spec3.json", &file)
	form := file.Paths["/v1/webhook_endpoints"]["post"].RequestBody.Content["application/x-www-form-urlencoded"]
	types := form.Schema.Properties["enabled_events"].Items.Enum
	require.NotEmpty(t, types)
	return types
}

// objectTypeOf returns the type of object that events of the type are about.
func objectTypeOf(eventType string) string {
	prefix := eventType[:max(strings.LastIndex(eventType, "."), 0)]
	if prefix == "customer.subscription" {
		return "subscription"
	}
	return prefix
}

func TestParseEvents_ReadsAPublishedEvent(t *testing.T) {
	event := readPublishedObjects(t)["event"].withFields(object{"api_version": stripe.APIVersion})
	parsedEvent, err := signAndParse(t, newStub(t).provider(), event)
	require.NoError(t, err)
	assert.Equal(t, payment.OtherEvent, parsedEvent.Kind)
	assert.Equal(t, "plan.created", parsedEvent.Type)
	assert.Equal(t, event["id"], parsedEvent.ID)
}

// The events are about Stripe's example of the object, or about a customer if there is no example.
func TestParseEvents_AcceptsEveryPublishedType(t *testing.T) {
	p, objects := newStub(t).provider(), readPublishedObjects(t)
	for _, eventType := range readPublishedEventTypes(t) {
		subject, hasExample := objects[objectTypeOf(eventType)]
		if eventType == "*" || !hasExample {
			subject = objects["customer"]
		}
		parsedEvent, err := signAndParse(t, p, newEvent(eventType, subject))
		require.NoError(t, err, eventType)
		assert.Equal(t, eventType, parsedEvent.Type)
		switch {
		case strings.HasPrefix(eventType, "customer.subscription."):
			assert.Equal(t, payment.SubscriptionChanged, parsedEvent.Kind, eventType)
			assert.Equal(t, subject["id"], parsedEvent.SubscriptionID, eventType)
			assert.Equal(t, subject["customer"], parsedEvent.CustomerID, eventType)
		case strings.HasPrefix(eventType, "payment_method."), eventType == "customer.updated":
			assert.Equal(t, payment.CustomerChanged, parsedEvent.Kind, eventType)
		}
	}
}

func TestParseEvents_AcceptsEveryPublishedObject(t *testing.T) {
	p := newStub(t).provider()
	for objectType, subject := range readPublishedObjects(t) {
		_, err := signAndParse(t, p, newEvent("unknown.type", subject))
		assert.NoError(t, err, objectType)
	}
}
