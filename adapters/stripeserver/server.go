package stripeserver

import (
	"cmp"
	"crypto/rand"
	"net/http"
	"sync"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/domain/catalogue"
)

// Version is the only version of Stripe's API that the server accepts.
const Version = "2026-03-25.dahlia"

// maxBodySize limits request bodies, in bytes.
const maxBodySize = 1 << 20

// Config configures a Server.
type Config struct {
	SecretKey      string               // default "sk_test_local"
	PublishableKey string               // default "pk_test_local"
	Catalogue      *catalogue.Catalogue // the initial products and prices; nil starts without any
}

// Server serves a fake Stripe API. Its methods may be called concurrently.
type Server struct {
	Config
	provider    *fakepayment.Provider
	router      *http.ServeMux
	idempotency idempotencyStore
	faults      faultQueue

	mu     sync.Mutex // serialises requests, and guards prices and state
	prices priceStore
	state  serverState
}

// New returns a Server that serves the state of the provider.
func New(p *fakepayment.Provider, c Config) *Server {
	c.SecretKey = cmp.Or(c.SecretKey, "sk_test_local")
	c.PublishableKey = cmp.Or(c.PublishableKey, "pk_test_local")
	s := &Server{Config: c, provider: p, state: newServerState(), idempotency: newIdempotencyStore()}
	if c.Catalogue != nil {
		now := p.Now().Unix()
		s.prices.load(c.Catalogue, now)
		s.state.loadTaxRates(c.Catalogue, now)
	}
	s.router = s.newRouter()
	return s
}

func (s *Server) newRouter() *http.ServeMux {
	mux := http.NewServeMux()
	for _, endpoints := range []map[string]endpoint{
		customerEndpoints, paymentMethodEndpoints, subscriptionEndpoints, invoiceEndpoints, chargeEndpoints, disputeEndpoints,
		refundEndpoints, creditNoteEndpoints,
		taxIDEndpoints, taxRateEndpoints, scheduleEndpoints, intentEndpoints, productEndpoints, priceEndpoints,
	} {
		for pattern, e := range endpoints {
			mux.Handle(pattern, s.newHandler(e))
		}
	}
	mux.HandleFunc("POST /local/authentications/{secret}", s.handleAuthentication)
	mux.HandleFunc("POST /local/disputes", s.handleDispute)
	mux.HandleFunc("POST /local/refunds", s.handleRefund)
	mux.HandleFunc("POST /local/faults", s.handleFault)
	mux.HandleFunc("GET /local/invoices/{id}/pdf", s.redirectToPDF)
	mux.HandleFunc("GET /local/files/{id}", s.servePDF)
	mux.HandleFunc("GET /local/invoices/{id}/credit-notes/{number}/pdf", s.serveCreditNotePDF)
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		//nolint:misspell // Stripe's spelling
		e := invalidRequestError("", "", "Unrecognized request URL ("+r.Method+": "+r.URL.Path+").")
		e.status = http.StatusNotFound
		errorResponse(e).write(w)
	})
	return mux
}

// ServeHTTP handles one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Request-Id", "req_"+rand.Text()[:14])
	w.Header().Set("Stripe-Version", Version)
	w.Header().Set("Access-Control-Allow-Origin", "*")
	w.Header().Set("Access-Control-Expose-Headers", "Request-Id")
	if r.Method == http.MethodOptions {
		w.Header().Set("Access-Control-Allow-Methods", "GET, POST, DELETE")
		w.Header().Set("Access-Control-Allow-Headers", "Authorization, Content-Type, Idempotency-Key, Stripe-Version")
		return
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxBodySize)
	s.router.ServeHTTP(w, r)
}

// endpoint describes an endpoint of the API.
type endpoint struct {
	params               string // accepted parameters without nested names, separated by spaces
	objectType           string // the type of the returned object, or of the objects in the returned list
	isList               bool   // whether it returns a list
	allowsPublishableKey bool
	serve                func(*call) (renderFunc, error)
}

// renderFunc builds the response body from the state after the request.
type renderFunc func(view) (object, error)

// newRetrieveEndpoint returns an endpoint that serves the object with the id in the path. Stripe's error for an unknown
// id names the parameter param.
func newRetrieveEndpoint(objectType, param string) endpoint {
	return endpoint{objectType: objectType, serve: func(c *call) (renderFunc, error) {
		return newObjectRenderer(objectType, c.pathValue("id"), param), nil
	}}
}

// newHandler returns the endpoint's handler with authentication, validation, idempotency and injected faults.
func (s *Server) newHandler(e endpoint) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c, err := s.newCall(r, e)
		if err != nil {
			errorResponse(err).write(w)
			return
		}
		fault := s.faults.takeMatching(r)
		if fault.writeEarlyFailure(w, r) {
			return
		}
		res, use := s.idempotency.runOnce(c, func() response {
			fault.waitForRelease()
			return fault.storedResponse(s.execute(c))
		})
		use.setHeaders(w)
		fault.abort(r)
		res.write(w)
	})
}

// execute runs the request. Requests run one at a time.
func (s *Server) execute(c *call) response {
	s.mu.Lock()
	defer s.mu.Unlock()
	render, err := c.serve(c)
	if err != nil {
		return errorResponse(err)
	}
	body, err := c.render(render)
	if err != nil {
		return errorResponse(err)
	}
	return response{Status: http.StatusOK, Body: body}
}
