package stripeserver

import "net/http"

// table is every endpoint there is.
func (f *Face) table() *http.ServeMux {
	mux := http.NewServeMux()
	for _, part := range []map[string]endpoint{
		customerEndpoints, cardEndpoints, subscriptionEndpoints, invoiceEndpoints, intentEndpoints, productEndpoints, priceEndpoints,
	} {
		for pattern, e := range part {
			mux.Handle(pattern, f.handler(e))
		}
	}
	mux.HandleFunc("POST /local/authentications/{secret}", f.authenticateHolder)
	mux.HandleFunc("POST /local/faults", f.addFault)
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		e := invalidRequest("", "", "Unrecognized request URL ("+r.Method+": "+r.URL.Path+").") //nolint:misspell // Stripe's words
		e.status = http.StatusNotFound
		refusal(e).write(w)
	})
	return mux
}

// retrieve is the endpoint that shows one object.
func retrieve(kind, param string) endpoint {
	return endpoint{kind: kind, do: func(c *call) (show, error) {
		return one(kind, c.id("id"), param), nil
	}}
}
