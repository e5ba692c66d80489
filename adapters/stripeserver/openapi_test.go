package stripeserver_test

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// missingFields contains the required fields that the server does not send, by the object and the field, with the reason.
var missingFields = map[string]string{
	"subscription.billing_schedules": "newer than the API version of the server",
	"invoice.amount_paid_off_stripe": "newer than the API version of the server",
}

// alwaysSentFields contains fields that Stripe sends in each object although its description does not require them, because
// they can be null. The adapter or the web app decides by them.
var alwaysSentFields = map[string][]string{
	"subscription": {"cancel_at", "canceled_at", "cancellation_details", "ended_at", "latest_invoice", "pause_collection",
		"pending_setup_intent", "pending_update", "schedule", "trial_end"},
	"invoice": {"billing_reason", "customer_name", "due_date", "ending_balance", "next_payment_attempt", "number", "parent",
		"total_taxes"},
	"charge":         {"failure_code", "failure_message", "outcome", "payment_intent", "payment_method_details"},
	"payment_intent": {"last_payment_error", "latest_charge", "next_action", "payment_method", "processing"},
	"setup_intent":   {"last_setup_error", "next_action", "payment_method"},
	"customer":       {"address", "default_source", "email", "name", "phone"},
	"refund":         {"charge", "payment_intent", "reason", "status"},
	"price":          {"lookup_key", "nickname", "recurring", "unit_amount", "unit_amount_decimal"},
	"outcome":        {"advice_code", "network_advice_code", "network_decline_code", "network_status", "reason", "type"},
}

// TestObjects_HaveTheFieldsThatStripeRequires checks each object in the responses to requests of each kind, and in events.
func TestObjects_HaveTheFieldsThatStripeRequires(t *testing.T) {
	checker := newSchemaChecker(t)
	s := newTestServer(t)
	checker.checkEventsOf(t, s)
	s.onResponse = func(body object) { checker.checkObjects("", body) }

	requestEveryKindOfObject(s)

	require.NoError(t, s.provider.Drain(t.Context()))
	checker.mu.Lock()
	defer checker.mu.Unlock()
	assert.Empty(t, slices.Sorted(maps.Keys(checker.faults)))
	assert.Equal(t, []string{
		"balance_transaction", "charge", "credit_note", "customer", "customer_balance_transaction", "deleted_customer", "deleted_tax_id", "dispute",
		"event", "invoice", "invoice_payment", "line_item", "list", "payment_intent", "payment_method", "price", "product", "refund", "setup_intent",
		"subscription", "subscription_item", "subscription_schedule", "tax_id", "tax_rate",
	}, slices.Sorted(maps.Keys(checker.kinds)))
	assert.Equal(t, slices.Sorted(maps.Keys(missingFields)), slices.Sorted(maps.Keys(checker.exceptions)),
		"an exception is not needed any more")
}

// requestEveryKindOfObject sends requests whose responses contain each kind of object in its different states.
func requestEveryKindOfObject(s *testServer) {
	customerID, _ := s.newCustomerWithCard(visaToken)
	s.mustPost("/v1/payment_methods", "type", "au_becs_debit", "au_becs_debit[bsb_number]", "000000",
		"au_becs_debit[account_number]", "6000000000056819")
	s.mustPost("/v1/customers/"+customerID+"/balance_transactions", "amount", "-100", "currency", "aud")
	taxIDsPath := "/v1/customers/" + customerID + "/tax_ids"
	taxIDPath := taxIDsPath + "/" + s.mustPost(taxIDsPath, "type", "au_abn", "value", "51824753556").stringField("id")
	s.send("GET", "/v1/customers", "expand[]", "data.tax_ids", "expand[]", "data.subscriptions")
	s.send("DELETE", taxIDPath)
	s.send("GET", "/v1/customers/"+customerID+"/payment_methods")

	s.mustPost("/v1/products", "name", "Extra")
	s.send("GET", "/v1/products")
	s.send("GET", "/v1/prices", "expand[]", "data.currency_options")
	rateID := s.mustPost("/v1/tax_rates", "display_name", "GST", "percentage", "10", "inclusive", "true").stringField("id")
	s.mustPost("/v1/invoices/create_preview", "customer", customerID, "currency", "aud",
		"subscription_details[items][0][price]", "price_standard_yearly")

	subscription := s.subscribe(customerID, "default_tax_rates[0]", rateID)
	subscriptionID := subscription.stringField("id")
	scheduleID := s.mustPost("/v1/subscription_schedules", "from_subscription", subscriptionID).stringField("id")
	s.mustPost("/v1/subscription_schedules/" + scheduleID + "/release")
	intentID := subscription.stringField("latest_invoice.payments.data.0.payment.payment_intent")
	s.send("GET", "/v1/payment_intents/"+intentID, "expand[]", "latest_charge")
	number := subscription.stringField("latest_invoice.number")
	for _, action := range []string{"open", "won", "open"} {
		s.advanceClock(time.Hour)
		s.send("POST", "/local/disputes", "invoice", number, "action", action)
	}
	chargeID := s.send("GET", "/v1/charges", "customer", customerID).stringField("data.0.id")
	s.send("GET", "/v1/disputes", "charge", chargeID)
	s.send("POST", "/local/disputes", "invoice", number, "action", "won")
	s.mustPost("/v1/refunds", "payment_intent", intentID, "amount", "100")
	s.mustPost("/v1/credit_notes", "invoice", subscription.stringField("latest_invoice.id"), "amount", "50", "refund_amount", "50")
	s.send("GET", "/v1/credit_notes", "customer", customerID)
	s.send("GET", "/v1/charges", "customer", customerID, "expand[]", "data.refunds")
	s.send("GET", "/v1/invoice_payments", "invoice", subscription.stringField("latest_invoice.id"))
	s.advanceClock(366 * 24 * time.Hour)
	s.send("GET", "/v1/invoices", "customer", customerID, "expand[]", "data.payments")
	s.send("DELETE", "/v1/subscriptions/"+subscriptionID)
	s.send("GET", "/v1/subscriptions", "customer", customerID, "status", "all")

	declinedCustomerID, _ := s.newCustomerWithCard(declinedChargeToken)
	s.subscribe(declinedCustomerID)
	trialCustomerID, _ := s.newCustomerWithCard(authenticationCardNumber)
	s.subscribe(trialCustomerID, "trial_period_days", "7")
	s.send("DELETE", "/v1/customers/"+declinedCustomerID)
}

// schemaChecker checks objects against the schemas of Stripe's API description, which stripe-mock contains.
type schemaChecker struct {
	schemas map[string]*schema

	mu         sync.Mutex
	faults     map[string]bool
	kinds      map[string]bool // the checked kinds of objects
	exceptions map[string]bool // the used entries of missingFields
}

// schema is a part of an API description in the format OpenAPI 3.
type schema struct {
	Ref        string             `json:"$ref"`
	Type       string             `json:"type"`
	Nullable   bool               `json:"nullable"`
	Enum       []any              `json:"enum"`
	AnyOf      []*schema          `json:"anyOf"`
	Properties map[string]*schema `json:"properties"`
	Required   []string           `json:"required"`
	Items      *schema            `json:"items"`
}

func newSchemaChecker(t *testing.T) *schemaChecker {
	t.Helper()
	command := exec.CommandContext(t.Context(), "go", "list", "-modfile=../../tools/go.mod", "-f", "{{.Dir}}",
		"github.com/stripe/stripe-mock")
	dir, err := command.Output()
	require.NoError(t, err, "the module with Stripe's API description is missing")
	text, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(dir)), "embedded/openapi/spec3.json"))
	require.NoError(t, err)
	var description struct {
		Components struct {
			Schemas map[string]*schema `json:"schemas"`
		} `json:"components"`
	}
	require.NoError(t, json.Unmarshal(text, &description))
	return &schemaChecker{
		schemas: description.Components.Schemas, faults: map[string]bool{}, kinds: map[string]bool{}, exceptions: map[string]bool{},
	}
}

// checkEventsOf checks the events of the server. Their subjects contain only ids, statuses, amounts and times, so that
// events contain no secrets or personal data.
func (c *schemaChecker) checkEventsOf(t *testing.T, s *testServer) {
	t.Helper()
	s.provider.SetSink(func(_ context.Context, payload []byte, _ string) error {
		var event object
		assert.NoError(t, json.Unmarshal(payload, &event))
		data, _ := event["data"].(object)
		subject, _ := data["object"].(object)
		for _, name := range []string{"id", "object", "created"} {
			assert.NotEmpty(t, subject[name], "%s of %s", name, event["type"])
		}
		data["object"] = object{}
		c.checkObjects("", event)
		return nil
	})
	require.NoError(t, s.provider.Start(t.Context()))
}

// checkObjects checks the objects in a body, at any depth.
func (c *schemaChecker) checkObjects(path string, value any) {
	switch value := value.(type) {
	case []any:
		for _, element := range value {
			c.checkObjects(path, element)
		}
	case object:
		if kind := kindOf(value); kind != "" {
			c.checkKind(kind, value)
		}
		for name, field := range value {
			c.checkObjects(path+"."+name, field)
		}
	}
}

// kindOf returns the name of an object's schema, or "" if it is a part of an object.
func kindOf(value object) string {
	kind, _ := value["object"].(string)
	if isDeleted, _ := value["deleted"].(bool); isDeleted {
		return "deleted_" + kind
	}
	return kind
}

// listSchema is the schema of lists, which the description repeats for each list.
var listSchema = &schema{Type: "object", Required: []string{"data", "has_more", "object", "url"}}

func (c *schemaChecker) checkKind(kind string, value object) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.kinds[kind] = true
	s, found := c.schemas[kind]
	switch {
	case kind == "list":
		s = listSchema
	case !found:
		c.faults["there is no schema of "+kind] = true
		return
	}
	c.check(kind, value, s)
}

// check checks a value and its parts against a schema. It leaves the objects in the value to checkObjects.
func (c *schemaChecker) check(path string, value any, s *schema) {
	s = c.resolve(s)
	if value == nil {
		if !s.Nullable {
			c.faults[path+" must not be null"] = true
		}
		return
	}
	if option := c.chooseOption(value, s.AnyOf); option != nil {
		s = option
	}
	switch value := value.(type) {
	case []any:
		for _, element := range value {
			c.checkPart(path+"[]", element, s.Items)
		}
	case object:
		c.checkFields(path, value, s)
	case string:
		if len(s.Enum) > 0 && !slices.Contains(s.Enum, any(value)) {
			c.faults[path+" must not be "+strconv.Quote(value)] = true
		}
	}
}

func (c *schemaChecker) checkFields(path string, value object, s *schema) {
	step := path[strings.LastIndex(path, ".")+1:]
	for _, name := range slices.Concat(s.Required, alwaysSentFields[step]) {
		if _, found := value[name]; found {
			continue
		}
		if field := path + "." + name; missingFields[field] != "" {
			c.exceptions[field] = true
		} else {
			c.faults[field+" is missing"] = true
		}
	}
	for name, field := range value {
		c.checkPart(path+"."+name, field, s.Properties[name])
	}
}

// checkPart checks a part of an object, unless it is an object with a schema of its own, or the description lacks it.
func (c *schemaChecker) checkPart(path string, value any, s *schema) {
	if o, isObject := value.(object); s != nil && (!isObject || kindOf(o) == "") {
		c.check(path, value, s)
	}
}

// resolve returns the schema to which a reference points.
func (c *schemaChecker) resolve(s *schema) *schema {
	if name, ok := strings.CutPrefix(s.Ref, "#/components/schemas/"); ok {
		return c.schemas[name]
	}
	return s
}

// chooseOption returns the first schema for the type of the value, or nil.
func (c *schemaChecker) chooseOption(value any, options []*schema) *schema {
	for _, option := range options {
		option = c.resolve(option)
		_, isText := value.(string)
		_, isObject := value.(object)
		if isText && option.Type == "string" || isObject && cmp.Or(option.Type, "object") == "object" {
			return option
		}
	}
	return nil
}
