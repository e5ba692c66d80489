package stripeserver

import (
	"maps"
	"strings"
)

// longestPhone is Stripe's limit.
const longestPhone = 20

func (c *call) checkCustomer() error {
	email := c.form.text("email")
	if email != "" && !strings.Contains(email, "@") {
		return invalidRequest("email_invalid", "email", "Invalid email address: "+email)
	}
	if len(c.form.text("phone")) > longestPhone {
		return invalidRequest("", "phone", "Invalid string: must be at most 20 characters")
	}
	return c.checkMetadata()
}

// noteCustomer keeps what was given, and leaves the rest as it was.
func (c *call) noteCustomer(id string) {
	kept := object{}
	maps.Copy(kept, c.notes.customers[id])
	for _, name := range []string{"name", "email", "phone", "description"} {
		if c.form.has(name) {
			kept[name] = orNull(c.form.text(name))
		}
	}
	if address := c.form.sub("address"); len(address) > 0 {
		kept["address"] = addressOf(address)
	}
	c.notes.customers[id] = kept
	c.noteMetadata(id)
}

func addressOf(given map[string]string) object {
	out := object{}
	for _, name := range []string{"city", "country", "line1", "line2", "postal_code", "state"} {
		out[name] = orNull(given[name])
	}
	return out
}
