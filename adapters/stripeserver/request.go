package stripeserver

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/vc-admin/diy/adapters/fakepayment"
)

// call is one request to an endpoint.
type call struct {
	*Server
	endpoint
	r      *http.Request
	form   form
	public bool // it uses the publishable key
}

// ctx returns the request's context without its cancellation: a request that has begun runs to its
// end.
func (c *call) ctx() context.Context { return context.WithoutCancel(c.r.Context()) }

// id returns a part of the path.
func (c *call) id(name string) string { return c.r.PathValue(name) }

// render returns the response body with the requested fields expanded.
func (c *call) render(fn renderFunc) (out object, err error) {
	err = c.provider.Read(c.ctx(), func(b fakepayment.Snapshot) error {
		v := view{Snapshot: b, Server: c.Server, host: c.r.Host}
		out, err = fn(v)
		if err != nil {
			return err
		}
		for _, path := range c.form.list("expand") {
			v.expand(out, strings.Split(path, "."))
		}
		return nil
	})
	return out, err
}

// read calls fn with the current state.
func (c *call) read(fn func(view) error) error {
	return c.provider.Read(c.ctx(), func(b fakepayment.Snapshot) error { return fn(view{Snapshot: b, Server: c.Server}) })
}

// readRecord returns the record that get finds, or missing.
func readRecord[T any](c *call, missing error, get func(view) (T, bool)) (record T, err error) {
	err = c.read(func(v view) error {
		var found bool
		if record, found = get(v); !found {
			return missing
		}
		return nil
	})
	return record, err
}

// readForm reads the parameters from the query or the body.
func (c *call) readForm() error {
	if c.r.Method == http.MethodPost && !isForm(c.r.Header.Get("Content-Type")) && c.r.ContentLength != 0 {
		return invalidRequest("", "", "The content type of the request must be application/x-www-form-urlencoded.")
	}
	if err := c.r.ParseForm(); err != nil {
		return invalidRequest("", "", "The parameters can't be read.")
	}
	c.form = form{values: c.r.Form}
	return nil
}

func isForm(contentType string) bool {
	kind, _, _ := strings.Cut(contentType, ";")
	return strings.TrimSpace(kind) == "application/x-www-form-urlencoded"
}

// authenticate accepts the secret key, and the publishable key at endpoints for browsers.
func (c *call) authenticate() error {
	key := strings.TrimPrefix(c.r.Header.Get("Authorization"), "Bearer ")
	if user, _, basic := c.r.BasicAuth(); basic {
		key = user
	}
	if key == "" {
		key = c.form.text("key") // Stripe.js sends it as a parameter
	}
	switch {
	case key == "":
		return unauthorised("You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY').")
	case key == c.SecretKey:
		return nil
	case key != c.PublishableKey:
		return unauthorised("Invalid API Key provided: " + maskKey(key))
	case !c.browser:
		return unauthorised("This API call cannot be made with a publishable API key. Please use a secret API key.")
	}
	c.public = true
	return nil
}

// maskKey returns the key with all but its beginning replaced.
func maskKey(key string) string {
	const shown = 8
	if len(key) <= shown {
		return strings.Repeat("*", len(key))
	}
	return key[:shown] + strings.Repeat("*", len(key)-shown)
}

func (c *call) checkVersion() error {
	version := c.r.Header.Get("Stripe-Version")
	if version != "" && version != Version && !c.public {
		return invalidRequest("", "", "Invalid Stripe API version: "+version)
	}
	return nil
}

// checkParams refuses parameters that the endpoint does not accept.
func (c *call) checkParams() error {
	known := " expand " + c.params + " "
	if c.browser {
		known += "key client_secret "
	}
	if c.list {
		known += "limit starting_after "
	}
	for name := range c.form.values {
		first, _, _ := strings.Cut(name, "[")
		if !strings.Contains(known, " "+first+" ") {
			return invalidRequest("parameter_unknown", name, "Received unknown parameter: "+name)
		}
	}
	return nil
}

// form holds parameters under the names that Stripe uses, such as items[0][price].
type form struct{ values url.Values }

func (f form) has(name string) bool { return f.values.Has(name) }

func (f form) text(name string) string { return f.values.Get(name) }

// list returns the values of an array, written name[] or name[0], in order.
func (f form) list(name string) []string {
	values := slices.Clone(f.values[name+"[]"])
	for i := 0; f.has(name + "[" + strconv.Itoa(i) + "]"); i++ {
		values = append(values, f.text(name+"["+strconv.Itoa(i)+"]"))
	}
	return values
}

// hash returns the values of a hash: metadata[name].
func (f form) hash(name string) map[string]string {
	found := map[string]string{}
	for key, values := range f.values {
		inner, ok := strings.CutPrefix(key, name+"[")
		if ok && strings.HasSuffix(inner, "]") && !strings.Contains(inner, "][") {
			found[strings.TrimSuffix(inner, "]")] = values[0]
		}
	}
	return found
}

// hashKeys returns the names in a hash of hashes: currency_options[usd][unit_amount].
func (f form) hashKeys(name string) []string {
	var found []string
	for key := range f.values {
		inner, ok := strings.CutPrefix(key, name+"[")
		inner, _, closed := strings.Cut(inner, "]")
		if ok && closed && !slices.Contains(found, inner) {
			found = append(found, inner)
		}
	}
	slices.Sort(found)
	return found
}

// number returns an integer parameter and whether it is given.
func (f form) number(name string) (value int64, given bool, err error) {
	if !f.has(name) {
		return 0, false, nil
	}
	value, err = strconv.ParseInt(f.text(name), 10, 64)
	if err != nil {
		return 0, true, invalidRequest("parameter_invalid_integer", name, "Invalid integer: "+f.text(name))
	}
	return value, true, nil
}

// requiredText returns a parameter that must not be empty.
func (f form) requiredText(name string) (string, error) {
	if f.text(name) == "" {
		return "", invalidRequest("parameter_missing", name, "Missing required param: "+name+".")
	}
	return f.text(name), nil
}

// allowOnly refuses all values but those that the fake provider supports.
func (f form) allowOnly(name string, allowed ...string) error {
	if !f.has(name) || slices.Contains(allowed, f.text(name)) {
		return nil
	}
	return unsupported(name, f.text(name))
}

// nestedForm returns the parameters inside a hash under their inner names.
func (f form) nestedForm(name string) form {
	inner := form{values: url.Values{}}
	for key, values := range f.values {
		rest, ok := strings.CutPrefix(key, name+"[")
		first, more, closed := strings.Cut(rest, "]")
		if ok && closed {
			inner.values[first+more] = values
		}
	}
	return inner
}

// newCall validates a request before it runs. A refusal leaves the idempotency key unused.
func (s *Server) newCall(r *http.Request, e endpoint) (*call, error) {
	c := &call{Server: s, r: r, endpoint: e}
	for _, check := range []func() error{c.readForm, c.authenticate, c.checkVersion, c.checkParams, c.checkExpand, c.checkKey} {
		if err := check(); err != nil {
			return nil, err
		}
	}
	return c, nil
}
