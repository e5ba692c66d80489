package httpapi

import (
	"net/http"

	"github.com/vc-admin/diy/ports/payment"
)

// receiveEvent handles a webhook request of the payment provider, which has no session and no XSRF token. If the provider
// signs requests, the use case checks the signature.
func (a *api) receiveEvent(w http.ResponseWriter, r *http.Request) error {
	body, err := readBody(r)
	if err != nil {
		return err
	}
	delivery := payment.Delivery{Header: r.Header, Query: r.URL.Query(), Body: body}
	if err := a.UseCases.ReceiveEvent.Do(r.Context(), delivery); err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, emptyObject{})
}
