package main

import (
	"net/url"
	"os"
	"strings"

	"github.com/vc-admin/diy/domain/catalogue"
)

func (c *config) readFiles(problems *configError) {
	c.catalogue = catalogue.Default()
	if c.CatalogueFile != "" {
		c.readCatalogue(problems)
	}
	branding, err := readBranding(c.BrandingFile)
	if err != nil {
		problems.add("DIY_BRANDING: %v", err)
	}
	c.branding = branding
}

func (c *config) readCatalogue(problems *configError) {
	file, err := os.Open(c.CatalogueFile)
	if err != nil {
		problems.add("DIY_CATALOGUE: %v", err)
		return
	}
	defer func() { _ = file.Close() }() // it was only read
	loaded, err := catalogue.Load(file)
	if err != nil {
		problems.add("DIY_CATALOGUE: %v", err)
		return
	}
	c.catalogue = loaded
}

func (c *config) readLoginQuery(problems *configError) {
	query, err := url.ParseQuery(strings.TrimPrefix(c.LoginQueryText, "?"))
	if err != nil {
		problems.add("DIY_LOGIN_QUERY must be a query such as a=1&b=2")
	}
	c.loginQuery = map[string]string{}
	for name := range query {
		c.loginQuery[name] = query.Get(name)
	}
}
