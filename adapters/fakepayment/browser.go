package fakepayment

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
)

// maxBodyBytes limits request bodies.
const maxBodyBytes = 64 << 10

// BrowserAPI returns the handler of the browser API that the package comment describes. Mount it with
// http.StripPrefix.
func (p *Provider) BrowserAPI() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("POST /payment_methods", jsonHandler(p.postPaymentMethod))
	mux.Handle("GET /intents/{secret}", jsonHandler(p.getIntent))
	mux.Handle("POST /intents/{secret}/confirm", jsonHandler(p.postConfirmation))
	mux.Handle("/payment_methods", errorHandler(errMethodNotAllowed("POST")))
	mux.Handle("/intents/{secret}", errorHandler(errMethodNotAllowed("GET")))
	mux.Handle("/intents/{secret}/confirm", errorHandler(errMethodNotAllowed("POST")))
	mux.Handle("/", errorHandler(newHTTPError(http.StatusNotFound, "resource_missing", "There is no such path.")))
	return mux
}

func (p *Provider) postPaymentMethod(r *http.Request) (any, error) {
	var req struct {
		Card           *cardRequest   `json:"card"`
		BillingDetails map[string]any `json:"billing_details"`
	}
	if err := decodeJSON(r, &req); err != nil {
		return nil, err
	}
	if req.Card == nil {
		return nil, errInvalidRequest("card is required")
	}
	method, err := p.CreatePaymentMethod(r.Context(), CardEntry(*req.Card))
	return paymentMethodBody{
		ID: method.ID, Object: "payment_method", Type: "card", Card: newCardBody(method.Card),
	}, err
}

func (p *Provider) getIntent(r *http.Request) (any, error) {
	pi, cd, err := p.readIntent(r.Context(), r.PathValue("secret"))
	return newIntentBody(pi, cd), err
}

func (p *Provider) postConfirmation(r *http.Request) (any, error) {
	var req struct {
		Outcome  Outcome `json:"outcome"`
		MethodID string  `json:"payment_method"`
	}
	if err := decodeJSON(r, &req); err != nil {
		return nil, err
	}
	if req.Outcome != NoOutcome && req.Outcome != OutcomeComplete && req.Outcome != OutcomeFail {
		return nil, errInvalidRequest("outcome must be complete or fail")
	}
	pi, cd, err := p.confirmIntent(r.Context(), Confirmation{
		ClientSecret: r.PathValue("secret"), Outcome: req.Outcome, MethodID: req.MethodID,
	})
	if err != nil && pi.ID != "" {
		err = &intentError{cause: err, intent: newIntentBody(pi, cd)}
	}
	return newIntentBody(pi, cd), err
}

// jsonHandler returns a handler that calls respond and writes the returned body or error as JSON.
func jsonHandler(respond func(*http.Request) (any, error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Body = http.MaxBytesReader(w, r.Body, maxBodyBytes)
		body, err := respond(r)
		if err != nil {
			errorHandler(err).ServeHTTP(w, r)
			return
		}
		writeJSON(w, http.StatusOK, body)
	})
}

func errorHandler(err error) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		status, body := errorResponse(err)
		if httpErr, ok := errors.AsType[*httpError](err); ok && httpErr.allow != "" {
			w.Header().Set("Allow", httpErr.allow)
		}
		writeJSON(w, status, map[string]errorBody{"error": body})
	})
}

func writeJSON(w http.ResponseWriter, status int, body any) {
	text, err := json.Marshal(body)
	if err != nil {
		panic(err) // strings and numbers can always be marshalled
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_, _ = w.Write(append(text, '\n')) // fails only if the client has disconnected
}

// decodeJSON decodes a JSON body. It refuses unknown fields and data after the first value.
func decodeJSON(r *http.Request, out any) error {
	mediaType, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";")
	if !strings.EqualFold(strings.TrimSpace(mediaType), "application/json") {
		return newHTTPError(http.StatusUnsupportedMediaType, "content_type", "The body must be application/json.")
	}
	decoder := json.NewDecoder(r.Body)
	decoder.DisallowUnknownFields()
	err := decoder.Decode(out)
	if err == nil {
		if _, err = decoder.Token(); errors.Is(err, io.EOF) {
			return nil
		}
	}
	if _, isTooLarge := errors.AsType[*http.MaxBytesError](err); isTooLarge {
		return newHTTPError(http.StatusRequestEntityTooLarge, "request_too_large", "The body is larger than 64 KiB.")
	}
	return errInvalidRequest("The body is not JSON as described.")
}
