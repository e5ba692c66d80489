package fakeapi

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
)

// apiError is the body of an error response.
type apiError struct {
	Status    int    `json:"status"`
	ErrorCode string `json:"errorCode"`
	Message   string `json:"message"`
	ErrorType string `json:"errorType"`
}

// The errors of the API.
var (
	errBadRequest  = &apiError{http.StatusBadRequest, "702", "Unable to parse the request", "validation"}
	errAPIKey      = &apiError{http.StatusUnauthorized, "000", "HTTP Status Response - Unauthorized", "security"}
	errMerchant    = &apiError{http.StatusForbidden, "901", "Invalid Merchant Account", "security"}
	errAmount      = &apiError{http.StatusUnprocessableEntity, "137", "Invalid amount specified", "validation"}
	errEncryption  = &apiError{http.StatusUnprocessableEntity, "174", "Unable to decrypt data", "validation"}
	errContract    = &apiError{http.StatusUnprocessableEntity, "800", "Contract not found", "validation"}
	errModifies    = &apiError{http.StatusUnprocessableEntity, "167", "The payment does not allow this modification", "validation"}
	errNoReference = &apiError{http.StatusNotFound, "168", "Original pspReference not found", "validation"}
)

// storedResponse is the first response to an Idempotency-Key.
type storedResponse struct {
	status int
	body   []byte
}

// Handler serves the API, the API of browsers, the page of the bank, and the controls of the sandbox.
func (s *Server) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /payments", s.serve(s.createPayment))
	mux.HandleFunc("GET /payments", s.serve(s.listPayments))
	mux.HandleFunc("POST /payments/{ref}/cancels", s.serve(s.cancelPayment))
	mux.HandleFunc("POST /payments/{ref}/refunds", s.serve(s.createRefund))
	mux.HandleFunc("DELETE /storedPaymentMethods/{id}", s.serve(s.deleteStoredCard))
	s.handleBrowser(mux)
	s.handleSandbox(mux)
	return mux
}

// request is the body of a request. Not every request has all fields.
type request struct {
	MerchantAccount    string `json:"merchantAccount"`
	Reference          string `json:"reference"`
	Amount             amount `json:"amount"`
	ShopperReference   string `json:"shopperReference"`
	ShopperInteraction string `json:"shopperInteraction"`
	Authentication     string `json:"attemptAuthentication"` // "always" or "preferNo"
	StorePaymentMethod bool   `json:"storePaymentMethod"`
	ReturnURL          string `json:"returnUrl"`
	PaymentMethod      struct {
		EncryptedCard string `json:"encryptedCard"`
		StoredID      string `json:"storedPaymentMethodId"`
	} `json:"paymentMethod"`
}

// serve returns a handler that checks the API key and calls fn. For a repeated Idempotency-Key, it replays the first response.
func (s *Server) serve(fn func(*http.Request, request) (any, *apiError)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var body request
		switch {
		case r.Header.Get("X-Api-Key") != s.config.APIKey:
			respond(w, errAPIKey.Status, errAPIKey)
			return
		case r.Method == http.MethodPost && json.NewDecoder(r.Body).Decode(&body) != nil:
			respond(w, errBadRequest.Status, errBadRequest)
			return
		case r.Method == http.MethodPost && body.MerchantAccount != s.config.MerchantAccount:
			respond(w, errMerchant.Status, errMerchant)
			return
		}
		s.lockAndAdvance()
		defer s.mu.Unlock()
		key := r.Header.Get("Idempotency-Key")
		stored, isRepeat := s.responses[key]
		if key == "" || !isRepeat {
			recorder := httptest.NewRecorder()
			response, refusal := fn(r, body)
			if refusal != nil {
				respond(recorder, refusal.Status, refusal)
			} else {
				respond(recorder, http.StatusOK, response)
			}
			stored = storedResponse{recorder.Code, recorder.Body.Bytes()}
			if key != "" {
				s.responses[key] = stored
			}
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(stored.status)
		_, _ = w.Write(stored.body) // fails only if the client has left
	}
}

func respond(w http.ResponseWriter, status int, value any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(value) // fails only if the client has left
}

func (s *Server) createPayment(_ *http.Request, req request) (any, *apiError) {
	if req.Amount.Value < 0 || len(req.Amount.Currency) != 3 {
		return nil, errAmount
	}
	var c *card
	if req.PaymentMethod.StoredID != "" {
		if c = s.storedCard(req.PaymentMethod.StoredID, req.ShopperReference); c == nil {
			return nil, errContract
		}
	} else if c = s.decrypt(req.PaymentMethod.EncryptedCard); c == nil {
		return nil, errEncryption
	}
	p := &payment{
		PSPReference: s.newReference(), MerchantReference: req.Reference, ShopperReference: req.ShopperReference, Amount: req.Amount,
		card: c, isCustomerPresent: req.ShopperInteraction == "Ecommerce", avoidsAuthentication: req.Authentication == "preferNo", storesCard: req.StorePaymentMethod,
		returnURL: req.ReturnURL,
	}
	s.payments = append(s.payments, p)
	s.authorise(p, false)
	return p, nil
}

// listPayments lists the payments with the references in the query, the newest first.
func (s *Server) listPayments(r *http.Request, _ request) (any, *apiError) {
	const limit = 50
	query := r.URL.Query()
	list := []*payment{}
	for _, p := range slices.Backward(s.payments) {
		isSelected := matches(query.Get("pspReference"), p.PSPReference) && matches(query.Get("merchantReference"), p.MerchantReference)
		if isSelected && len(list) < limit {
			list = append(list, p)
		}
	}
	return map[string]any{"payments": list}, nil
}

func matches(filter, value string) bool { return filter == "" || filter == value }

func (s *Server) cancelPayment(r *http.Request, _ request) (any, *apiError) {
	p := s.find(r.PathValue("ref"))
	switch {
	case p == nil:
		return nil, errNoReference
	case !p.isOpen():
		return nil, errModifies
	}
	p.ResultCode, p.Action = resultCancelled, nil
	m := &modification{PSPReference: s.newReference(), PaymentPSPReference: p.PSPReference, Status: statusSucceeded}
	s.notify(p, m, "CANCELLATION", true)
	return m, nil
}

func (s *Server) createRefund(r *http.Request, req request) (any, *apiError) {
	p := s.find(r.PathValue("ref"))
	if p == nil {
		return nil, errNoReference
	}
	refund := s.refund(p, req.Reference, req.Amount)
	if refund == nil {
		return nil, errModifies
	}
	return refund, nil
}

func (s *Server) deleteStoredCard(r *http.Request, _ request) (any, *apiError) {
	c := s.storedCard(r.PathValue("id"), r.FormValue("shopperReference"))
	if c == nil {
		return nil, errContract
	}
	c.isDeleted = true
	return struct{}{}, nil
}
