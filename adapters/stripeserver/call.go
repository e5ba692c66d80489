package stripeserver

import (
	"context"
	"net/http"
	"strings"

	"github.com/vc-admin/diy/adapters/fakepayment"
)

// call is one request.
type call struct {
	*Face
	endpoint
	r      *http.Request
	form   form
	public bool // made with the publishable key
}

// ctx goes on when whoever asked has gone: what has begun is carried out.
func (c *call) ctx() context.Context { return context.WithoutCancel(c.r.Context()) }

// id is the part of the path of that name.
func (c *call) id(name string) string { return c.r.PathValue(name) }

// look shows the answer, with everything expanded that was asked for.
func (c *call) look(made show) (out object, err error) {
	err = c.provider.Read(c.ctx(), func(b fakepayment.Snapshot) error {
		v := view{Snapshot: b, Face: c.Face}
		out, err = made(v)
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

// books has look read the books before anything is changed.
func (c *call) books(look func(view) error) error {
	return c.provider.Read(c.ctx(), func(b fakepayment.Snapshot) error { return look(view{Snapshot: b, Face: c.Face}) })
}

// readForm reads the parameters, from the query or the body.
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

// authenticate tells a server from a browser, and either from somebody else.
func (c *call) authenticate() error {
	key := strings.TrimPrefix(c.r.Header.Get("Authorization"), "Bearer ")
	if user, _, basic := c.r.BasicAuth(); basic {
		key = user
	}
	if key == "" {
		key = c.form.text("key") // Stripe's script has it among the parameters
	}
	switch {
	case key == "":
		return unauthorised("You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY').")
	case key == c.SecretKey:
		return nil
	case key != c.PublishableKey:
		return unauthorised("Invalid API Key provided: " + masked(key))
	case !c.browser:
		return unauthorised("This API call cannot be made with a publishable API key. Please use a secret API key.")
	}
	c.public = true
	return nil
}

// masked is as much of a key as may be shown.
func masked(key string) string {
	const shown = 8
	if len(key) <= shown {
		return strings.Repeat("*", len(key))
	}
	return key[:shown] + strings.Repeat("*", len(key)-shown)
}

func (c *call) checkVersion() error {
	asked := c.r.Header.Get("Stripe-Version")
	if asked != "" && asked != Version && !c.public {
		return invalidRequest("", "", "Invalid Stripe API version: "+asked)
	}
	return nil
}

// checkParams refuses what the endpoint does not know.
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
