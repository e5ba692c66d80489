package httpapi

import (
	"net/http"

	"github.com/vc-admin/diy/ports/payment"
)

// receiveEvent handles a webhook request of the payment provider. The use case checks its
// signature, if the provider signs requests. It needs no session and no XSRF token.
func (a *api) receiveEvent(w http.ResponseWriter, r *http.Request) error {
	payload, err := readBody(r)
	if err != nil {
		return err
	}
	if err := a.UseCases.ReceiveEvent.Do(r.Context(), payment.Delivery{Header: r.Header, Body: payload}); err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, empty{})
}
