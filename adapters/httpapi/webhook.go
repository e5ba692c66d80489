package httpapi

import (
	"io"
	"net/http"
)

// receiveEvent handles a webhook event of the payment provider. It is authenticated by its signature
// and needs no session or XSRF token.
func (a *api) receiveEvent(w http.ResponseWriter, r *http.Request) error {
	payload, err := io.ReadAll(r.Body)
	if err != nil {
		return readError(err)
	}
	signature := r.Header.Get(a.Site.Payments.SignatureHeader)
	if err := a.UseCases.ReceiveEvent.Do(r.Context(), payload, signature); err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, empty{})
}
