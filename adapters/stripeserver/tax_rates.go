package stripeserver

import (
	"crypto/rand"
	"encoding/json"
	"strings"

	"github.com/vc-admin/diy/domain/catalogue"
)

var taxRateEndpoints = map[string]endpoint{
	"POST /v1/tax_rates": {objectType: "tax_rate", params: "display_name percentage inclusive country metadata active",
		serve: (*call).createTaxRate},
	"GET /v1/tax_rates":       {objectType: "tax_rate", isList: true, params: "active inclusive", serve: (*call).listTaxRates},
	"GET /v1/tax_rates/{id}":  newRetrieveEndpoint("tax_rate", "id"),
	"POST /v1/tax_rates/{id}": {objectType: "tax_rate", params: "active metadata", serve: (*call).updateTaxRate},
}

// taxRate is a tax that prices include. It does not affect the taxes on invoices, because the provider calculates them
// from the catalogue.
type taxRate struct {
	id, name, percentage string
	isArchived           bool
	createdAt            int64
}

// loadTaxRates adds the taxes of the catalogue.
func (s *serverState) loadTaxRates(c *catalogue.Catalogue, now int64) {
	for _, currency := range c.Currencies() {
		if tax, ok := c.Tax(currency.Code); ok {
			rate := &taxRate{id: "txr_" + stripeCurrency(currency.Code), name: tax.Name, percentage: tax.Percentage(),
				createdAt: now}
			s.taxRates = append(s.taxRates, rate)
			s.metadata[rate.id] = map[string]string{"prices_in": currency.Code}
		}
	}
}

func (s *serverState) findTaxRate(id string) *taxRate {
	return findFirst(s.taxRates, func(r *taxRate) bool { return r.id == id })
}

func (c *call) createTaxRate() (renderFunc, error) {
	if err := c.checkMetadata(); err != nil {
		return nil, err
	}
	if err := c.form.allowOnly("inclusive", "true"); err != nil {
		return nil, err
	}
	name, err := c.form.requiredText("display_name")
	if err != nil {
		return nil, err
	}
	percentage, err := c.form.requiredText("percentage")
	if err != nil {
		return nil, err
	}
	if strings.Contains(percentage, ".") {
		percentage = strings.TrimRight(strings.TrimRight(percentage, "0"), ".")
	}
	rate := &taxRate{id: "txr_" + rand.Text(), name: name, percentage: percentage, createdAt: c.provider.Now().Unix()}
	c.state.taxRates = append([]*taxRate{rate}, c.state.taxRates...)
	c.saveMetadata(rate.id)
	return newObjectRenderer("tax_rate", rate.id, "id"), nil
}

func (c *call) listTaxRates() (renderFunc, error) {
	return func(v view) (object, error) {
		var rates []object
		for _, rate := range v.state.taxRates {
			if !rate.isArchived || c.form.text("active") != "true" {
				rates = append(rates, v.taxRateObject(rate.id))
			}
		}
		return c.newListPage("tax_rate", rates)
	}, nil
}

func (c *call) updateTaxRate() (renderFunc, error) {
	rate := c.state.findTaxRate(c.pathValue("id"))
	if rate == nil {
		return nil, notFoundError("tax_rate", c.pathValue("id"), "id")
	}
	if c.form.has("active") {
		rate.isArchived = c.form.text("active") == "false"
	}
	c.saveMetadata(rate.id)
	return newObjectRenderer("tax_rate", rate.id, "id"), nil
}

// checkTaxRates refuses rates that do not exist or are archived.
func (c *call) checkTaxRates(ids []string, param string) error {
	for _, id := range ids {
		if rate := c.state.findTaxRate(id); rate == nil || rate.isArchived {
			return unknownReferenceError("tax_rate", id, param)
		}
	}
	return nil
}

func (v view) taxRateObject(id string) object {
	rate := v.state.findTaxRate(id)
	if rate == nil {
		return nil
	}
	return object{
		"id": id, "object": "tax_rate", "livemode": false, "active": !rate.isArchived, "inclusive": true,
		"display_name": rate.name, "created": rate.createdAt,
		"percentage": json.Number(rate.percentage), "metadata": v.state.metadataOf(id),
	}
}

// taxRateObjects returns the objects of the tax rates, which Stripe includes without expansion.
func (v view) taxRateObjects(ids []string) []any {
	rates := []any{}
	for _, id := range ids {
		rates = append(rates, v.taxRateObject(id))
	}
	return rates
}
