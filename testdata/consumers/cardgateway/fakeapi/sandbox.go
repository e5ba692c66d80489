package fakeapi

import (
	"net/http"
	"slices"
	"strconv"
)

// handleSandbox serves the controls of the sandbox, which are not part of the provider's API. They act on the newest
// authorised payment, and respond with 409 if that is not possible. The value is in minor units.
//
//	POST /sandbox/refunds?value=1000: refunds a part, as an operator does in the dashboard
//	POST /sandbox/disputes?value=1000: disputes a part, as the customer does at the bank
//	POST /sandbox/disputes/won, POST /sandbox/disputes/lost: decides the open dispute
func (s *Server) handleSandbox(mux *http.ServeMux) {
	handle := func(path string, act func(pspReference string, value int64) bool) {
		mux.HandleFunc("POST /sandbox/"+path, func(w http.ResponseWriter, r *http.Request) {
			value, err := strconv.ParseInt("0"+r.FormValue("value"), 10, 64)
			if err != nil || !act(s.newestCharge(), value) {
				w.WriteHeader(http.StatusConflict)
			}
		})
	}
	handle("refunds", s.RefundByHand)
	handle("disputes", s.Dispute)
	handle("disputes/won", func(ref string, _ int64) bool { return s.CloseDispute(ref, true) })
	handle("disputes/lost", func(ref string, _ int64) bool { return s.CloseDispute(ref, false) })
}

// newestCharge returns the reference of the newest authorised payment, or "".
func (s *Server) newestCharge() string {
	s.lockAndAdvance()
	defer s.mu.Unlock()
	for _, p := range slices.Backward(s.payments) {
		if p.ResultCode == resultAuthorised && p.Amount.Value > 0 {
			return p.PSPReference
		}
	}
	return ""
}

// RefundByHand refunds a part of a payment, as an operator does in the dashboard, and reports whether that succeeded.
func (s *Server) RefundByHand(pspReference string, value int64) bool {
	s.lockAndAdvance()
	defer s.mu.Unlock()
	p := s.find(pspReference)
	return p != nil && s.refund(p, "", amount{value, p.Amount.Currency}) != nil
}

// Dispute disputes a part of a payment, as the customer does at the bank, and reports whether that succeeded. The value 0 is
// everything that was neither refunded nor disputed.
func (s *Server) Dispute(pspReference string, value int64) bool {
	s.lockAndAdvance()
	defer s.mu.Unlock()
	p := s.find(pspReference)
	if p == nil {
		return false
	}
	if value == 0 {
		value = p.remaining()
	}
	d := s.newModification(p, disputePending, "", amount{value, p.Amount.Currency})
	if d == nil {
		return false
	}
	p.Disputes = append(p.Disputes, d)
	s.notify(p, d, "CHARGEBACK", true)
	return true
}

// CloseDispute decides the open dispute of a payment, as the bank does, and reports whether there was one.
func (s *Server) CloseDispute(pspReference string, won bool) bool {
	s.lockAndAdvance()
	defer s.mu.Unlock()
	p := s.find(pspReference)
	if p == nil {
		return false
	}
	d := first(p.Disputes, func(d *modification) bool { return d.Status == disputePending })
	if d == nil {
		return false
	}
	event := "SECOND_CHARGEBACK"
	d.Status = disputeLost
	if won {
		d.Status, event = disputeWon, "CHARGEBACK_REVERSED"
	}
	s.notify(p, d, event, true)
	return true
}
