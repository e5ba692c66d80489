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

// call contains one request to an endpoint and its parameters.
type call struct {
	*Server
	endpoint
	r                  *http.Request
	form               form
	usesPublishableKey bool // whether it uses the publishable key
}

// newCall returns the call for a request, or an error if the request is invalid. An invalid request leaves its
// idempotency key unused.
func (s *Server) newCall(r *http.Request, e endpoint) (*call, error) {
	c := &call{Server: s, r: r, endpoint: e}
	checks := []func() error{c.readForm, c.authenticate, c.checkVersion, c.checkParams, c.checkExpand, c.checkKey}
	for _, check := range checks {
		if err := check(); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// ctx returns the request's context without its cancellation, so that a request that has begun runs to its end even when
// the client disconnects.
func (c *call) ctx() context.Context { return context.WithoutCancel(c.r.Context()) }

// pathValue returns the value of a wildcard in the path.
func (c *call) pathValue(name string) string { return c.r.PathValue(name) }

// render returns the body that fn builds, and expands the fields that the request names.
func (c *call) render(fn renderFunc) (body object, err error) {
	err = c.provider.Read(c.ctx(), func(snapshot fakepayment.Snapshot) error {
		v := view{Snapshot: snapshot, Server: c.Server, host: c.r.Host}
		body, err = fn(v)
		if err != nil {
			return err
		}
		for _, path := range c.form.list("expand") {
			v.expand(body, strings.Split(path, "."))
		}
		return nil
	})
	return body, err
}

// read calls fn with the current state.
func (c *call) read(fn func(view) error) error {
	return c.provider.Read(c.ctx(), func(snapshot fakepayment.Snapshot) error {
		return fn(view{Snapshot: snapshot, Server: c.Server})
	})
}

// readRecord returns the record that get returns, or errMissing if get returns false.
func readRecord[T any](c *call, errMissing error, get func(view) (T, bool)) (record T, err error) {
	err = c.read(func(v view) error {
		var found bool
		if record, found = get(v); !found {
			return errMissing
		}
		return nil
	})
	return record, err
}

// readForm reads the parameters from the query or the body.
func (c *call) readForm() error {
	if c.r.Method == http.MethodPost && !isForm(c.r.Header.Get("Content-Type")) && c.r.ContentLength != 0 {
		return invalidRequestError("", "", "The content type of the request must be application/x-www-form-urlencoded.")
	}
	if err := c.r.ParseForm(); err != nil {
		return invalidRequestError("", "", "The parameters can't be read.")
	}
	c.form = form{values: c.r.Form}
	return nil
}

func isForm(contentType string) bool {
	mediaType, _, _ := strings.Cut(contentType, ";")
	return strings.TrimSpace(mediaType) == "application/x-www-form-urlencoded"
}

// authenticate accepts the secret key, and the publishable key at endpoints for browsers.
func (c *call) authenticate() error {
	key := strings.TrimPrefix(c.r.Header.Get("Authorization"), "Bearer ")
	if user, _, isBasic := c.r.BasicAuth(); isBasic {
		key = user
	}
	if key == "" {
		key = c.form.text("key") // Stripe.js sends it as a parameter
	}
	switch {
	case key == "":
		return unauthorisedError("You did not provide an API key. You need to provide your API key in the Authorization header, " +
			"using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY').")
	case key == c.SecretKey:
		return nil
	case key != c.PublishableKey:
		return unauthorisedError("Invalid API Key provided: " + maskKey(key))
	case !c.allowsPublishableKey:
		return unauthorisedError("This API call cannot be made with a publishable API key. Please use a secret API key.")
	}
	c.usesPublishableKey = true
	return nil
}

// maskKey returns the key with asterisks after its first characters, or only asterisks for a short key.
func maskKey(key string) string {
	const prefixLength = 8
	if len(key) <= prefixLength {
		return strings.Repeat("*", len(key))
	}
	return key[:prefixLength] + strings.Repeat("*", len(key)-prefixLength)
}

func (c *call) checkVersion() error {
	version := c.r.Header.Get("Stripe-Version")
	if version != "" && version != Version && !c.usesPublishableKey {
		return invalidRequestError("", "", "Invalid Stripe API version: "+version)
	}
	return nil
}

// checkParams refuses parameters that the endpoint does not accept.
func (c *call) checkParams() error {
	knownParams := " expand " + c.params + " "
	if c.allowsPublishableKey {
		knownParams += "key client_secret "
	}
	if c.isList {
		knownParams += "limit starting_after "
	}
	for name := range c.form.values {
		topLevelName, _, _ := strings.Cut(name, "[")
		if !strings.Contains(knownParams, " "+topLevelName+" ") {
			return invalidRequestError("parameter_unknown", name, "Received unknown parameter: "+name)
		}
	}
	return nil
}

// form contains parameters under Stripe's names, such as items[0][price].
type form struct{ values url.Values }

func (f form) has(name string) bool { return f.values.Has(name) }

func (f form) text(name string) string { return f.values.Get(name) }

// list returns the values of an array in order. Its parameters are name[] or name[0], name[1] and so on.
func (f form) list(name string) []string {
	values := slices.Clone(f.values[name+"[]"])
	for i := 0; f.has(name + "[" + strconv.Itoa(i) + "]"); i++ {
		values = append(values, f.text(name+"["+strconv.Itoa(i)+"]"))
	}
	return values
}

// hash returns the values of a hash by their keys. Its parameters are name[key].
func (f form) hash(name string) map[string]string {
	hash := map[string]string{}
	for key, values := range f.values {
		subkey, ok := strings.CutPrefix(key, name+"[")
		if ok && strings.HasSuffix(subkey, "]") && !strings.Contains(subkey, "][") {
			hash[strings.TrimSuffix(subkey, "]")] = values[0]
		}
	}
	return hash
}

// hashKeys returns the sorted keys of a hash, which can contain hashes, such as usd in
// currency_options[usd][unit_amount].
func (f form) hashKeys(name string) []string {
	var keys []string
	for key := range f.values {
		subkey, ok := strings.CutPrefix(key, name+"[")
		subkey, _, isClosed := strings.Cut(subkey, "]")
		if ok && isClosed && !slices.Contains(keys, subkey) {
			keys = append(keys, subkey)
		}
	}
	slices.Sort(keys)
	return keys
}

// number returns an integer parameter, and whether the request has it.
func (f form) number(name string) (value int64, found bool, err error) {
	if !f.has(name) {
		return 0, false, nil
	}
	value, err = strconv.ParseInt(f.text(name), 10, 64)
	if err != nil {
		return 0, true, invalidRequestError("parameter_invalid_integer", name, "Invalid integer: "+f.text(name))
	}
	return value, true, nil
}

// requiredText returns a parameter that must not be empty.
func (f form) requiredText(name string) (string, error) {
	if f.text(name) == "" {
		return "", invalidRequestError("parameter_missing", name, "Missing required param: "+name+".")
	}
	return f.text(name), nil
}

// allowOnly refuses the parameter if it has a value that is not allowed. A missing parameter is allowed.
func (f form) allowOnly(name string, allowedValues ...string) error {
	if !f.has(name) || slices.Contains(allowedValues, f.text(name)) {
		return nil
	}
	return unsupportedError(name, f.text(name))
}

// nestedForm returns the parameters of a hash without its name: name[a][b] becomes a[b].
func (f form) nestedForm(name string) form {
	nested := form{values: url.Values{}}
	for key, values := range f.values {
		suffix, ok := strings.CutPrefix(key, name+"[")
		subkey, remainder, isClosed := strings.Cut(suffix, "]")
		if ok && isClosed {
			nested.values[subkey+remainder] = values
		}
	}
	return nested
}
