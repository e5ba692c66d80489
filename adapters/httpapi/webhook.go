package httpapi

import (
	"io"
	"net/http"
)

// receiveEvent takes an event of the payment provider. Its signature speaks for it, so it needs
// none of what a browser must bring.
func (a *api) receiveEvent(w http.ResponseWriter, r *http.Request) error {
	payload, err := io.ReadAll(r.Body)
	if err != nil {
		return readError(err)
	}
	signature := r.Header.Get(a.Site.Payments.SignatureHeader)
	if err := a.UseCases.ReceiveEvent.Do(r.Context(), payload, signature); err != nil {
		return err
	}
	return reply(w, http.StatusOK, done{})
}
