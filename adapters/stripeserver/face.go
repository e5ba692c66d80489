package stripeserver

import (
	"cmp"
	"net/http"
	"sync"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/domain/catalogue"
)

// Version is the version of Stripe's API that is spoken here, and no other.
const Version = "2026-03-25.dahlia"

// Config is what a face is made with.
type Config struct {
	SecretKey      string               // "" is "sk_test_local"
	PublishableKey string               // what a browser may use; "" is "pk_test_local"
	Catalogue      *catalogue.Catalogue // products and prices to begin with; nil begins with none
}

// Face answers as Stripe's API does. All its methods may be called at once.
type Face struct {
	Config
	provider *fakepayment.Provider
	routes   *http.ServeMux
	keys     keys
	faults   faults

	mu    sync.Mutex // held by the one request that is carried out
	shelf shelf      // products and prices
	notes notes      // what Stripe keeps of the provider's things, and the provider does not
}

// New makes a face of a provider.
func New(p *fakepayment.Provider, c Config) *Face {
	c.SecretKey = cmp.Or(c.SecretKey, "sk_test_local")
	c.PublishableKey = cmp.Or(c.PublishableKey, "pk_test_local")
	f := &Face{Config: c, provider: p, shelf: newShelf(), notes: newNotes(), keys: newKeys()}
	if c.Catalogue != nil {
		f.shelf.stock(c.Catalogue)
	}
	f.routes = f.table()
	return f
}
