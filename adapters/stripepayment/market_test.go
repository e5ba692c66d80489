package stripepayment_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/stripepayment"
	"github.com/vc-admin/diy/domain/catalogue"
)

// market is the part of Stripe that keeps products and prices, as far as a catalogue needs it.
type market struct {
	*httptest.Server
	t  *testing.T
	mu sync.Mutex

	products, prices []object
	writes           []string
	failAfter        int // writes; 0 never fails
	log              lines
}

func newMarket(t *testing.T) *market {
	t.Helper()
	m := &market{t: t}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/products", m.listing(m.someProducts))
	mux.HandleFunc("GET /v1/prices", m.listing(m.somePrices))
	mux.HandleFunc("POST /v1/products", m.writing(m.createProduct))
	mux.HandleFunc("POST /v1/products/{id}", m.writing(m.updateProduct))
	mux.HandleFunc("POST /v1/prices", m.writing(m.createPrice))
	mux.HandleFunc("POST /v1/prices/{id}", m.writing(m.updatePrice))
	m.Server = httptest.NewServer(mux)
	t.Cleanup(m.Close)
	return m
}

func (m *market) provider(c *catalogue.Catalogue) *stripepayment.Provider {
	m.t.Helper()
	p, err := stripepayment.New(stripepayment.Config{
		SecretKey: testKey, APIURL: m.URL, Catalogue: c, Clock: fixedClock{}, Backoff: 1, Log: slog.New(slog.NewTextHandler(&m.log, nil)),
	})
	require.NoError(m.t, err)
	return p
}

func (m *market) listing(find func(*http.Request) []object) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		m.mu.Lock()
		defer m.mu.Unlock()
		assert.NoError(m.t, r.ParseForm())
		var found []any
		for _, o := range find(r) {
			found = append(found, o)
		}
		assert.NoError(m.t, json.NewEncoder(w).Encode(list(found...)))
	}
}

func (m *market) writing(do func(*http.Request) object) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		m.mu.Lock()
		defer m.mu.Unlock()
		assert.NoError(m.t, r.ParseForm())
		assert.NotEmpty(m.t, r.Header.Get("Idempotency-Key"))
		if m.failAfter > 0 && len(m.writes) >= m.failAfter {
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		m.writes = append(m.writes, r.Method+" "+r.URL.Path)
		assert.NoError(m.t, json.NewEncoder(w).Encode(do(r)))
	}
}

// values is a list parameter, which the library numbers.
func values(r *http.Request, name string) []string {
	var out []string
	for i := 0; r.Form.Has(fmt.Sprintf("%s[%d]", name, i)); i++ {
		out = append(out, r.Form.Get(fmt.Sprintf("%s[%d]", name, i)))
	}
	return out
}

// nested is an object parameter: "metadata[plan]" for metadata.
func nested(r *http.Request, name string) object {
	out := object{}
	for key := range r.Form {
		if inner, is := strings.CutPrefix(key, name+"["); is {
			out[strings.TrimSuffix(inner, "]")] = r.Form.Get(key)
		}
	}
	return out
}

func number(t *testing.T, text string) int {
	t.Helper()
	n, err := strconv.Atoi(text)
	require.NoError(t, err)
	return n
}

func find(all []object, id string) object {
	i := slices.IndexFunc(all, func(o object) bool { return o["id"] == id })
	return all[i]
}

func (m *market) someProducts(r *http.Request) []object {
	wanted := values(r, "ids")
	return slices.DeleteFunc(slices.Clone(m.products), func(o object) bool { return !slices.Contains(wanted, o["id"].(string)) })
}

func (m *market) somePrices(r *http.Request) []object {
	keys := values(r, "lookup_keys")
	assert.LessOrEqual(m.t, len(keys), 10, "Stripe takes no more at once")
	return slices.DeleteFunc(slices.Clone(m.prices), func(o object) bool {
		key, _ := o["lookup_key"].(string)
		return len(keys) > 0 && !slices.Contains(keys, key) ||
			r.Form.Has("product") && o["product"] != r.Form.Get("product") ||
			r.Form.Has("active") && fmt.Sprint(o["active"]) != r.Form.Get("active")
	})
}

func (m *market) createProduct(r *http.Request) object {
	made := object{"id": r.Form.Get("id"), "object": "product", "active": true, "name": r.Form.Get("name"),
		"description": r.Form.Get("description"), "metadata": nested(r, "metadata")}
	m.products = append(m.products, made)
	return made
}

func (m *market) updateProduct(r *http.Request) object {
	found := find(m.products, r.PathValue("id"))
	for _, name := range []string{"name", "description"} {
		found[name] = cmp.Or(r.Form.Get(name), fmt.Sprint(found[name]))
	}
	found["active"] = true
	return found
}

func (m *market) createPrice(r *http.Request) object {
	key := r.Form.Get("lookup_key")
	for _, o := range m.prices {
		if o["lookup_key"] == key {
			assert.Equal(m.t, "true", r.Form.Get("transfer_lookup_key"))
			o["lookup_key"] = nil
		}
	}
	options := object{}
	for name, value := range nested(r, "currency_options") {
		options[name[:3]] = object{"unit_amount": number(m.t, value.(string))}
	}
	made := object{"id": fmt.Sprintf("price_%d", len(m.prices)), "object": "price", "active": true, "lookup_key": key,
		"currency": r.Form.Get("currency"), "unit_amount": number(m.t, r.Form.Get("unit_amount")), "currency_options": options,
		"product": r.Form.Get("product"), "metadata": nested(r, "metadata"),
		"recurring": object{"interval": r.Form.Get("recurring[interval]"), "interval_count": 1}}
	m.prices = append(m.prices, made)
	return made
}

func (m *market) updatePrice(r *http.Request) object {
	found := find(m.prices, r.PathValue("id"))
	assert.Equal(m.t, "false", r.Form.Get("active"), "a price is archived and never edited")
	assert.Len(m.t, r.PostForm, 1)
	found["active"] = false
	return found
}
