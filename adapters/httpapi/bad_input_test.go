package httpapi_test

import (
	"maps"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestRegistrationTellsEveryBrokenRuleByField(t *testing.T) {
	b := newHouse(t).browser(t)

	a := b.post("/vc-admin/signup", map[string]any{
		"firstName": "R2D2", "lastName": "", "org": " ", "email": "nobody", "password": "short", "contact": "12",
		"billing_address": map[string]any{"line1": "", "country": "", "state": "", "postal_code": " ", "city": ""},
	})

	a.refused(http.StatusBadRequest, "ERRVALIDATION")
	assert.Equal(t, "Invalid first name", a.Message)
	for field, message := range map[string]string{
		"firstName": "Invalid first name", "lastName": "Last name is required", "org": "Org name is required",
		"email": "Invalid email address!", "country": "Country is required", "state": "state is required",
		"line1": "Billing address line 1 is required", "district": "City is required",
		"pincode": "Invalid zipcode", "contact": "Invalid contact details",
	} {
		assert.Equal(t, message, a.Fields[field], field)
	}
	assert.Contains(t, a.Fields["password"], "Password policy not followed")
}

func TestRegistrationRefusesWhatTheCatalogueDoesNotSell(t *testing.T) {
	b := newHouse(t).browser(t)
	in := registration("Sunrise Clinic", "ada@sunrise.example")
	for _, product := range []string{"platinum", "enterprise"} {
		in["product"] = product

		a := b.post("/vc-admin/signup", in)

		a.refused(http.StatusBadRequest, "ERRVALIDATION")
		assert.Contains(t, a.Fields, "product", product)
	}
}

func TestDuplicatesNameWhatIsTaken(t *testing.T) {
	b := newHouse(t).browser(t)
	b.register("Sunrise Clinic", "ada@sunrise.example")

	org := b.post("/vc-admin/signup", registration(" sunrise CLINIC ", "bob@sunrise.example"))
	org.refused(http.StatusBadRequest, "ERRDUPLICATE")
	assert.Contains(t, strings.ToLower(org.Message), "org")

	email := b.post("/vc-admin/user-diy/new-user?debug=true", registration("Other Clinic", "ADA@sunrise.example"))
	email.refused(http.StatusBadRequest, "ERRDUPLICATE")
	assert.Contains(t, strings.ToLower(email.Message), "email")
}

func TestWhatIsNoJSONIsRefused(t *testing.T) {
	h := newHouse(t)
	b := h.member(t, "Sunrise Clinic", "ada@sunrise.example")
	for name, body := range map[string]string{
		"broken": `{"username":`, "list": `[]`, "text": `"x"`, "null": `null`, "more after it": `{} {}`,
		"empty": ` `, "wrong type": `{"username": 5, "priceId": [], "email": {}, "paymentMethodId": true, "firstName": 1, "invoice_settings": "x"}`,
		"not UTF-8": "{\"username\": \"\xff\"}", "NUL": `{"username": "\u0000"}`,
	} {
		for _, path := range []string{
			"/auth/login", "/vc-admin/signup", "/vc-admin/auth/verify/resend", "/vc-admin/user-diy/subscribe",
			"/vc-admin/org/subscription/update", "/vc-admin/org/customer/cards/add",
			"/vc-admin/org/customer/cards/del", "/vc-admin/org/customer/edit",
		} {
			t.Run(name+" "+path, func(t *testing.T) {
				a := b.send(b.request(http.MethodPost, path, body))
				assert.Equal(t, http.StatusBadRequest, a.Status)
				assert.Equal(t, "ERRJSON", a.Name)
			})
		}
	}
}

func TestWrongTypes_AreReportedByTheirNameOnTheWire(t *testing.T) {
	h := newHouse(t)
	b := h.member(t, "Sunrise Clinic", "ada@sunrise.example")
	for _, c := range []struct{ path, body, name string }{
		{"/auth/login", `{"username": 5}`, "username"},
		{"/vc-admin/auth/verify/resend", `{"email": {}}`, "email"},
		{"/vc-admin/signup", `{"billing_address": {"line1": 1}}`, "line1"},
		{"/vc-admin/signup", `{"metadata": []}`, "metadata"},
		{"/vc-admin/user-diy/subscribe", `{"priceId": []}`, "priceId"},
		{"/vc-admin/user-diy/subscribe", `{"no_trial": "x"}`, "no_trial"},
		{"/vc-admin/org/subscription/update", `{"currency": 1e400}`, "currency"},
		{"/vc-admin/org/customer", `{"expand": [5]}`, "expand"},
		{"/vc-admin/org/customer/edit", `{"invoice_settings": {"default_payment_method": 1}}`, "default_payment_method"},
		{"/vc-admin/org/customer/cards/add", `{"paymentMethodId": true}`, "paymentMethodId"},
	} {
		a := b.send(b.request(http.MethodPost, c.path, c.body))
		a.refused(http.StatusBadRequest, "ERRJSON")
		assert.Equal(t, "The value of "+c.name+" has the wrong type.", a.Message, c.path)
	}
}

func TestHugeBodiesAreRefused(t *testing.T) {
	h := newHouse(t)
	b := h.member(t, "Sunrise Clinic", "ada@sunrise.example")
	body := `{"username": "` + strings.Repeat("x", 64<<10) + `"}`
	for _, path := range []string{"/auth/login", "/vc-admin/signup", "/vc-admin/user-diy/subscribe", "/vc-admin/org/customer"} {
		b.send(b.request(http.MethodPost, path, body)).refused(http.StatusRequestEntityTooLarge, "ERRTOOLARGE")
	}
}

func TestOnlyPricesOfTheCatalogueAreSold(t *testing.T) {
	h := newHouse(t)
	b := h.member(t, "Sunrise Clinic", "ada@sunrise.example")
	for name, change := range map[string]map[string]any{
		"unknown plan":       {"priceId": "platinum_yearly"},
		"no price id":        {"priceId": "professional"},
		"disabled plan":      {"priceId": "enterprise_yearly"},
		"foreign currency":   {"currency": "JPY"},
		"unknown currency":   {"currency": "XXX"},
		"no interval":        {"interval": ""},
		"another's interval": {"interval": "monthly"},
		"empty":              {"priceId": "", "interval": "", "currency": ""},
	} {
		t.Run(name, func(t *testing.T) {
			body := yearly("")
			maps.Copy(body, change)
			for _, path := range []string{"/vc-admin/user-diy/subscribe", "/vc-admin/org/subscription/update"} {
				a := b.send(b.request(http.MethodPost, path, body))
				assert.Equal(t, http.StatusBadRequest, a.Status, "%s", a.Body)
				assert.Equal(t, "ERRVALIDATION", a.Name)
				assert.NotEmpty(t, a.Fields)
			}
		})
	}
	assert.Nil(t, b.detail().Detail.License)
}

func TestSomebodyElsesThingsAreUnknown(t *testing.T) {
	h := newHouse(t)
	ada := h.member(t, "Sunrise Clinic", "ada@sunrise.example")
	bob := h.member(t, "Sunset Clinic", "bob@sunset.example")
	adasCard := ada.card("4242424242424242")
	require.Equal(t, http.StatusOK, ada.post("/vc-admin/org/customer/cards/add",
		map[string]any{"paymentMethodId": adasCard, "set_default": true}).Status)

	foreign := bob.get("/vc-admin/org/detail/" + ada.detail().Detail.OrgID)
	unknown := bob.get("/vc-admin/org/detail/org_unknown")
	foreign.refused(http.StatusNotFound, "ERRNOTFOUND")
	assert.Equal(t, string(unknown.Body), string(foreign.Body))

	for _, path := range []string{"/vc-admin/org/customer/cards/add", "/vc-admin/org/customer/cards/del"} {
		bob.post(path, map[string]any{"paymentMethodId": adasCard}).refused(http.StatusNotFound, "ERRNOTFOUND")
	}
	bob.post("/vc-admin/org/customer/edit", map[string]any{"invoice_settings": map[string]any{"default_payment_method": adasCard}}).
		refused(http.StatusNotFound, "ERRNOTFOUND")
	body := yearly(adasCard)
	bob.subscribe(body).refused(http.StatusNotFound, "ERRNOTFOUND")
	body["customerId"] = "cus_somebody_else"
	bob.subscribe(body).refused(http.StatusForbidden, "ERRFORBIDDEN")
	assert.Nil(t, bob.detail().Detail.License)
}

func TestVisitorsAreAskedToSignIn(t *testing.T) {
	b := newHouse(t).browser(t)
	b.get("/vc-admin/org/customer/cards").refused(http.StatusUnauthorized, "ERRUNAUTHENTICATED")
	b.get("/vc-admin/org/detail/org_1").refused(http.StatusUnauthorized, "ERRUNAUTHENTICATED")
	b.subscribe(yearly("pm_1")).refused(http.StatusUnauthorized, "ERRUNAUTHENTICATED")
	b.post("/vc-admin/user-diy/new-customer", nil).refused(http.StatusUnauthorized, "ERRUNAUTHENTICATED")
}
