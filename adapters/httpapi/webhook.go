package httpapi

import (
	"io"
	"net/http"

	"github.com/vc-admin/diy/ports/payment"
)

// receiveEvent handles a webhook request of the payment provider. It is authenticated by its
// signature, if the provider signs requests, and needs no session or XSRF token.
func (a *api) receiveEvent(w http.ResponseWriter, r *http.Request) error {
	payload, err := io.ReadAll(r.Body)
	if err != nil {
		return readError(err)
	}
	if err := a.UseCases.ReceiveEvent.Do(r.Context(), payment.Delivery{Header: r.Header, Body: payload}); err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, empty{})
}
