package diycmd

import (
	"cmp"
	_ "embed" // the default contact
	"encoding/json"
)

// contactJSON contains the example of a sales contact. The web app's build puts it into its static config.json
// too.
//
//go:embed contact.json
var contactJSON []byte

// setDefaultContact sets the parts of the sales contact that the environment does not.
func (c *config) setDefaultContact() {
	var example struct{ Email, Phone string }
	if err := json.Unmarshal(contactJSON, &example); err != nil {
		panic("diycmd: contact.json: " + err.Error()) // a programming error that every test finds
	}
	c.SalesEmail = cmp.Or(c.SalesEmail, example.Email)
	c.SalesPhone = cmp.Or(c.SalesPhone, example.Phone)
}
