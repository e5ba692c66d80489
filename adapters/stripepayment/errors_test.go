package stripepayment_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/fault"
)

func TestErrorsBecomeFaults(t *testing.T) {
	for name, c := range map[string]struct {
		answer  answer
		want    fault.Code
		message string // "" is not looked at
	}{
		"a declined card":      {declined(), fault.Declined, "Your card has insufficient funds."},
		"without a sentence":   {refusal(402, object{"type": "card_error", "code": "card_declined"}), fault.Declined, "Your card was declined."},
		"nothing there":        {missing("id"), fault.NotFound, ""},
		"no such address":      {refusal(404, object{"type": "invalid_request_error"}), fault.NotFound, ""},
		"missing, but as 400":  {invalidRequest(object{"code": "resource_missing"}), fault.NotFound, ""},
		"not right":            {invalidRequest(object{"code": "parameter_invalid_empty", "param": "name"}), fault.Invalid, ""},
		"an old key":           {refusal(400, object{"type": "idempotency_error", "message": "Keys for idempotent requests…"}), fault.Conflict, ""},
		"the key is in use":    {busy("idempotency_key_in_use"), fault.Unavailable, ""},
		"a wrong secret key":   {refusal(401, object{"type": "invalid_request_error", "message": "Invalid API Key provided: sk_test_***"}), fault.Unavailable, ""},
		"a revoked secret key": {refusal(401, object{"type": "invalid_request_error", "code": "api_key_expired"}), fault.Unavailable, ""},
		"too few permissions":  {refusal(403, object{"type": "invalid_request_error"}), fault.Unavailable, ""},
		"too many requests":    {refusal(429, object{"type": "invalid_request_error", "code": "rate_limit"}), fault.Unavailable, ""},
		"an outage":            {refusal(500, object{"type": "api_error"}), fault.Unavailable, ""},
		"no JSON":              {answer{status: 502, text: "<html>bad gateway</html>"}, fault.Unavailable, ""},
		"no JSON, but fine":    {answer{status: 200, text: "hello"}, fault.Unavailable, ""},
		"a status of its own":  {refusal(402, object{"type": "invalid_request_error"}), fault.Invalid, ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScript(t).on(createCustomer, c.answer)
			_, err := s.provider().CreateCustomer(t.Context(), newCustomer)
			require.Error(t, err)
			assert.Equal(t, c.want, fault.CodeOf(err))
			if c.message != "" {
				assert.Equal(t, c.message, fault.MessageOf(err))
			}
		})
	}
}

func TestFailuresAreLoggedWithStripesRequestID(t *testing.T) {
	for name, c := range map[string]struct {
		answer answer
		level  string
	}{
		"a declined card":     {declined(), "level=INFO"},
		"a wrong secret key":  {refusal(401, object{"type": "invalid_request_error"}), "level=ERROR"},
		"an outage":           {refusal(500, object{"type": "api_error"}), "level=WARN"},
		"a request not right": {invalidRequest(nil), "level=WARN"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScript(t).on(createCustomer, c.answer)
			_, err := s.provider().CreateCustomer(t.Context(), newCustomer)
			require.Error(t, err)
			assert.Contains(t, s.log.String(), "stripe_request=req_scripted")
			assert.Contains(t, s.log.String(), `operation="create customer"`)
			assert.Contains(t, s.log.String(), c.level)
		})
	}
}

// TestNothingSecretIsTold looks at what may end in a log: our own lines, and the text of the error.
func TestNothingSecretIsTold(t *testing.T) {
	for name, bad := range map[string]answer{
		"a message that quotes":   invalidRequest(object{"param": "email"}),
		"an error with a payment": declined(),
		"an answer without JSON":  {status: 400, text: "ann@clinic.example is not " + testKey},
		"a success without JSON":  {status: 200, text: "ann@clinic.example pi_1_secret_hush"},
		"an outage":               {reset: true},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScript(t).on(createCustomer, bad)
			_, err := s.provider().CreateCustomer(t.Context(), newCustomer)
			require.Error(t, err)
			told := s.log.String() + err.Error()
			for _, secret := range []string{testKey, "ann@clinic.example", "pi_1_secret_hush", "Northside"} {
				assert.NotContains(t, told, secret)
			}
		})
	}
}
