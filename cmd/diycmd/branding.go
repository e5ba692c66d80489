package diycmd

import (
	"bytes"
	"cmp"
	_ "embed" // the default branding and contact
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/vc-admin/diy/adapters/httpapi"
)

//go:embed branding.json
var defaultBranding []byte

// loadBranding reads the branding file at path, or the embedded one if path is "".
func loadBranding(path string) (httpapi.Branding, error) {
	data := defaultBranding
	if path != "" {
		var err error
		if data, err = os.ReadFile(path); err != nil {
			return httpapi.Branding{}, err
		}
	}
	return parseBranding(data)
}

// parseBranding decodes and checks a branding file. Unknown fields and trailing data are errors.
func parseBranding(data []byte) (httpapi.Branding, error) {
	var branding httpapi.Branding
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&branding); err != nil {
		return httpapi.Branding{}, fmt.Errorf("not a branding file: %w", err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return httpapi.Branding{}, errors.New("not a branding file: data after the JSON object")
	}
	return branding, checkBranding(branding)
}

// postalAddressLines returns the sender's name, address and email for the end of emails, which ask recipients to contact
// the sender.
func postalAddressLines(b httpapi.Branding, email string) []string {
	return append(append([]string{cmp.Or(b.Company, b.Name)}, b.AddressLines...), email)
}

// checkBranding requires a name, and a label and an http or https URL for each link.
func checkBranding(b httpapi.Branding) error {
	var errs []error
	if b.Name == "" {
		errs = append(errs, errors.New("name is missing"))
	}
	links := append([]httpapi.Link{}, b.HeaderLinks...)
	links = append(links, b.SocialLinks...)
	for _, column := range b.FooterColumns {
		links = append(links, column.Links...)
	}
	for _, link := range links {
		if link.Label == "" || !isWebURL(link.URL) {
			errs = append(errs, fmt.Errorf("link %q needs a label and an http or https address", link.Label))
		}
	}
	return errors.Join(errs...)
}

// contactJSON contains an example of a sales contact. The build of the web app uses it too.
//
//go:embed contact.json
var contactJSON []byte

// setDefaultContact replaces empty parts of the sales contact by those of the example.
func (c *config) setDefaultContact() {
	var example struct{ Email, Phone string }
	if err := json.Unmarshal(contactJSON, &example); err != nil {
		panic("diycmd: contact.json: " + err.Error()) // the file is embedded
	}
	c.SalesEmail = cmp.Or(c.SalesEmail, example.Email)
	c.SalesPhone = cmp.Or(c.SalesPhone, example.Phone)
}
