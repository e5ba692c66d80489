package stripeserver

import (
	"net/http"

	"github.com/vc-admin/diy/adapters/fakepayment"
)

// redirectToPDF redirects from the URL on an invoice to the file, as Stripe does. Neither needs an API
// key: the URL is the secret.
func (s *Server) redirectToPDF(w http.ResponseWriter, r *http.Request) {
	http.Redirect(w, r, "/local/files/"+r.PathValue("id"), http.StatusFound) //nolint:gosec // G710: the path is of this server
}

// servePDF returns the document of an invoice.
func (s *Server) servePDF(w http.ResponseWriter, r *http.Request) {
	var customer string
	err := s.provider.Read(r.Context(), func(b fakepayment.Snapshot) error {
		inv, _ := b.Invoice(r.PathValue("id"))
		customer = inv.Customer
		return nil
	})
	if err != nil {
		errorResponse(err).write(w)
		return
	}
	document, err := s.provider.InvoicePDF(r.Context(), customer, r.PathValue("id"))
	if err != nil {
		errorResponse(err).write(w)
		return
	}
	w.Header().Set("Content-Type", "application/pdf")
	_, _ = w.Write(document.PDF) // fails if the client has disconnected
}
