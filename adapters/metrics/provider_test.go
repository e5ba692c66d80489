package metrics_test

import (
	"context"
	"fmt"
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/adapters/metrics"
	"github.com/vc-admin/diy/adapters/systemclock"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

func newFakeProvider(t *testing.T) payment.Provider {
	t.Helper()
	fake, err := fakepayment.Open(fakepayment.Config{
		Clock: systemclock.New(), Prices: catalogue.Default(), Secrets: []string{"whsec_test"},
	})
	require.NoError(t, err)
	return fake
}

// TestWrapProvider_CountsAndTimesEveryMethod calls all methods of the port, so that it also covers methods that are added
// later.
func TestWrapProvider_CountsAndTimesEveryMethod(t *testing.T) {
	m := metrics.New("v1")
	provider := reflect.ValueOf(m.WrapProvider(newFakeProvider(t)))
	port := reflect.TypeFor[payment.Provider]()
	calls := 0
	for method := range port.Methods() {
		if method.Name == "ParseEvents" || method.Name == "Capabilities" {
			continue // these don't call the provider
		}
		calls++
		provider.MethodByName(method.Name).Call(zeroArguments(t.Context(), method.Type))

		assert.Regexp(t, fmt.Sprintf(`diy_provider_calls_total{call="%s",outcome="\w+"} 1\n`, method.Name), scrape(t, m))
		assert.Contains(t, scrape(t, m), fmt.Sprintf(`diy_provider_call_duration_seconds_count{call="%s"} 1`, method.Name))
	}
	assert.Equal(t, port.NumMethod()-2, calls)
}

// zeroArguments returns ctx and the zero value of every other argument.
func zeroArguments(ctx context.Context, method reflect.Type) []reflect.Value {
	arguments := []reflect.Value{reflect.ValueOf(ctx)}
	for i := 1; i < method.NumIn() && !(method.IsVariadic() && i == method.NumIn()-1); i++ {
		arguments = append(arguments, reflect.Zero(method.In(i)))
	}
	return arguments
}

func TestWrapProvider_ReturnsResultsAndCountsOutcomes(t *testing.T) {
	m := metrics.New("v1")
	provider := m.WrapProvider(newFakeProvider(t))

	customer, err := provider.CreateCustomer(t.Context(), payment.NewCustomer{Key: "1", OrganisationID: "org_1", Name: "Clinic"})
	require.NoError(t, err)
	storedCustomer, err := provider.Customer(t.Context(), customer.ID)
	require.NoError(t, err)
	assert.Equal(t, customer, storedCustomer)
	_, err = provider.Customer(t.Context(), "cus_unknown")
	assert.Equal(t, fault.NotFound, fault.CodeOf(err))
	_, err = m.WrapProvider(providerStub{}).Customer(t.Context(), "cus_1")
	assert.ErrorIs(t, err, context.DeadlineExceeded)

	for _, outcome := range []string{"ok", "not_found", "internal"} {
		assert.Contains(t, scrape(t, m), fmt.Sprintf(`diy_provider_calls_total{call="Customer",outcome="%s"} 1`, outcome))
	}
}

// providerStub fails to read customers with an error that is not a fault, and parses two events from each delivery.
type providerStub struct{ payment.Provider }

func (providerStub) Customer(context.Context, string) (billing.Customer, error) {
	return billing.Customer{}, context.DeadlineExceeded
}

func (providerStub) ParseEvents(_ context.Context, req payment.Delivery) ([]payment.Event, error) {
	event := payment.Event{ID: string(req.Body), Kind: payment.CustomerChanged, Type: "customer.updated"}
	return []payment.Event{event, event}, nil
}

func TestParseEvents_CountsEventsByKindAndForgedEventAsUnknown(t *testing.T) {
	m := metrics.New("v1")
	forgedDelivery := fakepayment.NewDelivery([]byte(`{"id": "evt_1", "type": "customer.updated"}`), "forged")
	_, err := m.WrapProvider(newFakeProvider(t)).ParseEvents(t.Context(), forgedDelivery)
	assert.Equal(t, fault.Forbidden, fault.CodeOf(err))
	events, err := m.WrapProvider(providerStub{}).ParseEvents(t.Context(), payment.Delivery{Body: []byte("evt_1")})
	require.NoError(t, err)
	require.Len(t, events, 2)
	assert.Equal(t, "evt_1", events[0].ID)

	assert.Contains(t, scrape(t, m), `diy_provider_events_total{kind="unknown",outcome="forbidden"} 1`)
	assert.Contains(t, scrape(t, m), `diy_provider_events_total{kind="customer",outcome="ok"} 2`)
}
