package httpapi_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestDecodeBody_RefusesInvalidJSON(t *testing.T) {
	_, b := newServerWithUser(t)
	for name, body := range map[string]string{
		"incomplete": `{"username":`, "list": `[]`, "text": `"x"`, "null": `null`, "two objects": `{} {}`, "empty": ` `,
		"wrong type": `{"username": 5, "priceId": [], "email": {}, "paymentMethodId": true, "firstName": 1, "invoice_settings": "x"}`,
		"not UTF-8":  "{\"username\": \"\xff\"}", "NUL": `{"username": "\u0000"}`,
	} {
		for _, path := range []string{
			"/auth/login", "/vc-admin/signup", "/vc-admin/auth/verify/resend", "/vc-admin/user-diy/subscribe",
			"/vc-admin/org/subscription/update", "/vc-admin/org/customer/cards/add",
			"/vc-admin/org/customer/cards/del", "/vc-admin/org/customer/edit",
		} {
			t.Run(name+" "+path, func(t *testing.T) {
				res := b.send(b.newRequest(http.MethodPost, path, body))
				assert.Equal(t, http.StatusBadRequest, res.Status)
				assert.Equal(t, "ERRJSON", res.Name)
			})
		}
	}
}

func TestDecodeBody_NamesTheFieldWithTheWrongType(t *testing.T) {
	_, b := newServerWithUser(t)
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
		res := b.send(b.newRequest(http.MethodPost, c.path, c.body))
		res.requireError(http.StatusBadRequest, "ERRJSON")
		assert.Equal(t, "The value of "+c.name+" has the wrong type.", res.Message, c.path)
	}
}
