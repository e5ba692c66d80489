package bankdebit

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"time"

	"github.com/vc-admin/diy/domain/fault"
)

// requestTimeout limits a request to the provider.
const requestTimeout = 10 * time.Second

// resource has all fields of the API's resources that the adapter reads.
type resource struct {
	ID             string
	Status         string
	Amount         int64
	Currency       string
	ChargeDate     string                              `json:"charge_date"`
	PaymentRequest struct{ Amount int64 }              `json:"payment_request"`
	MandateRequest struct{ Currency string }           `json:"mandate_request"`
	PageURL        string                              `json:"authorisation_url"`
	BankName       string                              `json:"bank_name"`
	AccountEnding  string                              `json:"account_number_ending"`
	Details        struct{ Cause, Description string } // of an event
	Fingerprint    string
	Metadata       map[string]string
	Links          map[string]string
}

// apiError is an error in a response of the API.
type apiError struct {
	Reason string
	Links  map[string]string
}

func (e *apiError) Error() string { return "bankdebit: " + e.Reason }

// faultCodes contains the code of the fault by the reason or the status of an error response. All other error responses
// are Unavailable.
var faultCodes = map[any]fault.Code{
	"mandate_is_inactive": fault.NotFound, "cancellation_failed": fault.Conflict, "billing_request_not_pending": fault.Conflict,
	"refund_payment_invalid_state": fault.Conflict, "refund_amount_exceeds_payment": fault.Conflict,
	http.StatusNotFound: fault.NotFound, http.StatusBadRequest: fault.Invalid, http.StatusUnprocessableEntity: fault.Invalid,
}

// request sends a request for the resource with the name, and decodes the resource of the response into out.
func (g *Gateway) request(ctx context.Context, method, name, path, key string, body, out any) error {
	content, err := json.Marshal(map[string]any{name: body})
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, method, g.url+"/"+name+path, bytes.NewReader(content))
	if err != nil {
		return err
	}
	req.Header = http.Header{
		"Authorization": {"Bearer " + g.token}, "Content-Type": {"application/json"}, "Idempotency-Key": {key},
	}
	response, err := g.http.Do(req)
	if err != nil {
		return fault.Wrap(err, fault.Unavailable, "The payment provider did not respond.")
	}
	defer response.Body.Close()
	var decoded map[string]json.RawMessage
	if err := json.NewDecoder(io.LimitReader(response.Body, 10<<20)).Decode(&decoded); err != nil {
		return fault.Wrap(err, fault.Unavailable, "The response of the payment provider is incomplete.")
	}
	if response.StatusCode >= http.StatusBadRequest {
		var failure struct{ Errors []*apiError }
		_ = json.Unmarshal(decoded["error"], &failure) // if there is no reason, the status determines the code
		apiErr := append(failure.Errors, &apiError{Reason: response.Status})[0]
		code := cmp.Or(faultCodes[apiErr.Reason], faultCodes[response.StatusCode], fault.Unavailable)
		return fault.Wrap(apiErr, code, "The payment provider refused the request.")
	}
	return json.Unmarshal(decoded[name], out)
}

func (g *Gateway) get(ctx context.Context, name, id string) (r resource, err error) {
	return r, g.request(ctx, http.MethodGet, name, "/"+url.PathEscape(id), "", nil, &r)
}

func (g *Gateway) list(ctx context.Context, name string, filters url.Values) (resources []resource, err error) {
	return resources, g.request(ctx, http.MethodGet, name, "?"+filters.Encode(), "", nil, &resources)
}

func (g *Gateway) cancel(ctx context.Context, name, id string) error {
	return g.request(ctx, http.MethodPost, name, "/"+url.PathEscape(id)+"/actions/cancel", "", nil, &resource{})
}

// create creates a resource, or returns the one that was created with the key before.
func (g *Gateway) create(ctx context.Context, name, key string, body any) (r resource, err error) {
	err = g.request(ctx, http.MethodPost, name, "", key, body, &r)
	if apiErr, ok := errors.AsType[*apiError](err); ok && apiErr.Reason == "idempotent_creation_conflict" {
		return g.get(ctx, name, apiErr.Links["conflicting_resource_id"])
	}
	return r, err
}
