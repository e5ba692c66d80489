package fakeapi

import (
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"html/template"
	"net/http"
	"net/url"
	"strings"
)

// handleBrowser serves the API that the provider's script calls in the browser, and the page of the bank. A request of the
// script names the client key, and may come from any origin.
func (s *Server) handleBrowser(mux *http.ServeMux) {
	const prefix = "/checkoutshopper/v1/clientKeys/{clientKey}"
	mux.HandleFunc("GET "+prefix, s.serveBrowser(s.publicKey))
	mux.HandleFunc("GET "+prefix+"/threeDS2/{token}", s.serveBrowser(s.threeDSStatus))
	mux.HandleFunc("POST "+prefix+"/threeDS2/{token}", s.serveBrowser(s.submitThreeDSResult))
	mux.HandleFunc("OPTIONS "+prefix+"/threeDS2/{token}", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Access-Control-Allow-Origin", "*")
		w.Header().Set("Access-Control-Allow-Headers", "Content-Type")
	})
	mux.HandleFunc("GET /acs/{ref}", s.showPage)
	mux.HandleFunc("POST /acs/{ref}", s.submitPage)
}

// serveBrowser returns a handler that checks the client key and responds with the result of fn.
func (s *Server) serveBrowser(fn func(*http.Request) (any, *apiError)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Access-Control-Allow-Origin", "*")
		if r.PathValue("clientKey") != s.config.ClientKey {
			respond(w, errAPIKey.Status, errAPIKey)
			return
		}
		s.lockAndAdvance()
		defer s.mu.Unlock()
		response, refusal := fn(r)
		if refusal != nil {
			respond(w, refusal.Status, refusal)
			return
		}
		respond(w, http.StatusOK, response)
	}
}

// publicKey returns the key with which the script encrypts cards (RSA-OAEP with SHA-256), as a SubjectPublicKeyInfo.
func (s *Server) publicKey(*http.Request) (any, *apiError) {
	key, err := x509.MarshalPKIXPublicKey(&s.key.PublicKey)
	if err != nil {
		panic(err) // the key is an RSA key
	}
	return map[string]string{"publicKey": base64.StdEncoding.EncodeToString(key)}, nil
}

// threeDSResult is what the script learns about a payment.
type threeDSResult struct {
	ResultCode    string `json:"resultCode"`
	RefusalReason string `json:"refusalReason,omitempty"`
}

func (s *Server) threeDSStatus(r *http.Request) (any, *apiError) {
	p := s.find(strings.TrimPrefix(r.PathValue("token"), "3ds2_"))
	if p == nil {
		return nil, errNoReference
	}
	return threeDSResult{p.ResultCode, p.RefusalReason}, nil
}

// submitThreeDSResult ends an authentication in the page. The status is "Y" if the customer has passed it.
func (s *Server) submitThreeDSResult(r *http.Request) (any, *apiError) {
	var body struct {
		TransStatus string `json:"transStatus"`
	}
	p := s.find(strings.TrimPrefix(r.PathValue("token"), "3ds2_"))
	if p == nil {
		return nil, errNoReference
	}
	if json.NewDecoder(r.Body).Decode(&body) != nil {
		return nil, errBadRequest
	}
	s.authenticate(p, body.TransStatus == "Y")
	return s.threeDSStatus(r)
}

// Authenticate completes or fails the authentication with the token, as the customer does in the page. It returns the result
// code of the payment, or "" for an unknown token.
func (s *Server) Authenticate(token string, succeeds bool) (resultCode string) {
	s.lockAndAdvance()
	defer s.mu.Unlock()
	p := s.find(strings.TrimPrefix(token, "3ds2_"))
	if p == nil {
		return ""
	}
	s.authenticate(p, succeeds)
	return p.ResultCode
}

var page = template.Must(template.New("page").Parse(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Test Bank</title>
<h1>Test Bank</h1>
{{if .Action}}<p>Do you want to pay {{.Amount.Value}} {{.Amount.Currency}} (in minor units)?</p>
<form method="post">
<button name="outcome" value="confirm">Confirm</button>
<button name="outcome" value="reject">Reject</button>
</form>
{{else}}<p>This payment has ended.</p>{{end}}
</html>
`))

// showPage shows the page on which the bank authenticates its customer.
func (s *Server) showPage(w http.ResponseWriter, r *http.Request) {
	s.lockAndAdvance()
	defer s.mu.Unlock()
	p := s.find(r.PathValue("ref"))
	if p == nil {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_ = page.Execute(w, p) // fails only if the client has left
}

func (s *Server) submitPage(w http.ResponseWriter, r *http.Request) {
	s.lockAndAdvance()
	defer s.mu.Unlock()
	p := s.find(r.PathValue("ref"))
	if p == nil {
		http.NotFound(w, r)
		return
	}
	s.authenticate(p, r.FormValue("outcome") == "confirm")
	returnURL, err := url.Parse(p.returnURL)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	query := returnURL.Query()
	query.Set("redirectResult", p.PSPReference)
	returnURL.RawQuery = query.Encode()
	http.Redirect(w, r, returnURL.String(), http.StatusSeeOther)
}
