package catalogue

import (
	"slices"

	"github.com/vc-admin/diy/domain/catalogue/internal/strictjson"
	"github.com/vc-admin/diy/domain/country"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
)

// maxPrice keeps twelve months of a price within the integers that JavaScript represents exactly.
const maxPrice = (1<<53 - 1) / monthsPerYear

// readCatalogue reads the parts of the file in the order in which they depend on each other.
func readCatalogue(file strictjson.Node) *Catalogue {
	o := file.Object("defaults", "currencies", "taxes", "rows", "plans", "prices")
	c := &Catalogue{}
	c.currencies = readCurrencies(o.Get("currencies"))
	c.readDefaults(o.Get("defaults"))
	if taxes, found := o.Find("taxes"); found {
		c.readTaxes(taxes)
	}
	c.rows = readRows(o.Get("rows"))
	c.plans = readPlans(o.Get("plans"))
	c.readPrices(o.Get("prices"))
	return c
}

// readCurrencies reads the codes of the supported currencies, at least one.
func readCurrencies(n strictjson.Node) []money.Currency {
	var currencies []money.Currency
	for _, item := range n.Items() {
		currency, known := readCurrency(item)
		if known && slices.Contains(currencies, currency) {
			item.AddProblem("%s is listed twice", currency.Code)
			continue
		}
		if known {
			currencies = append(currencies, currency)
		}
	}
	if n.IsList() && len(n.Items()) == 0 {
		n.AddProblem("must contain at least one currency")
	}
	return currencies
}

func readCurrency(n strictjson.Node) (money.Currency, bool) {
	code := n.Text()
	currency, known := money.ByCode(code)
	if code != "" && (!known || currency.Code != code) {
		n.AddProblem("%q is not the upper-case code of a known currency", code)
		return money.Currency{}, false
	}
	return currency, known
}

func (c *Catalogue) readDefaults(n strictjson.Node) {
	o := n.Object("currency", "interval", "country")
	c.defaultCurrency = c.readDefaultCurrency(o.Get("currency"))
	c.defaultInterval = readInterval(o.Get("interval"))
	c.defaultCountry = readCountry(o.Get("country"))
}

func (c *Catalogue) readDefaultCurrency(n strictjson.Node) string {
	code := n.Text()
	if code != "" && !c.listsCurrency(code) {
		n.AddProblem("%q is not among the currencies", code)
	}
	return code
}

// listsCurrency is like SupportsCurrency, for upper-case codes only.
func (c *Catalogue) listsCurrency(code string) bool {
	return slices.ContainsFunc(c.currencies, func(m money.Currency) bool { return m.Code == code })
}

func readInterval(n strictjson.Node) Interval {
	text := n.Text()
	interval, err := ParseInterval(text)
	if err != nil && text != "" {
		n.AddProblem("%q is neither monthly nor yearly", text)
	}
	return interval
}

func readCountry(n strictjson.Node) string {
	code := n.Text()
	if code != "" && !country.IsKnown(code) {
		n.AddProblem("%q is not the upper-case alpha-2 code of a country", code)
	}
	return code
}

// readRows reads the plan comparison: one row for every capability, in any order.
func readRows(n strictjson.Node) []ComparisonRow {
	var rows []ComparisonRow
	for _, item := range n.Items() {
		row := readRow(item)
		if slices.ContainsFunc(rows, func(r ComparisonRow) bool { return r.Name == row.Name && r.Name != "" }) {
			item.AddProblem("duplicate row for %s", row.Name)
		}
		rows = append(rows, row)
	}
	if !n.IsList() {
		return nil
	}
	for _, name := range capabilityNames {
		if !slices.ContainsFunc(rows, func(r ComparisonRow) bool { return r.Name == name }) {
			n.AddProblem("no row for %s", name)
		}
	}
	return rows
}

func readRow(n strictjson.Node) ComparisonRow {
	o := n.Object("name", "label", "include", "condition", "secondary")
	row := ComparisonRow{
		Name: readCapabilityName(o.Get("name")), Label: o.Get("label").Text(), Include: o.Get("include").Flag(),
	}
	if condition, found := o.Find("condition"); found {
		row.Condition = condition.Flag()
	}
	if secondary, found := o.Find("secondary"); found {
		row.Secondary = secondary.Text()
	}
	return row
}

func readCapabilityName(n strictjson.Node) string {
	name := n.Text()
	if name != "" && !slices.Contains(capabilityNames, name) {
		n.AddProblem("%q is not a capability", name)
	}
	return name
}

// readPlans reads the plans, at least one, with unique ids. At most one is the most chosen plan.
func readPlans(n strictjson.Node) []Plan {
	var plans []Plan
	for _, item := range n.Items() {
		plan := readPlan(item)
		if slices.ContainsFunc(plans, func(p Plan) bool { return p.ID == plan.ID && p.ID != "" }) {
			item.AddProblem("duplicate plan id %q", plan.ID)
		}
		if plan.MostChosen && slices.ContainsFunc(plans, func(p Plan) bool { return p.MostChosen }) {
			item.AddProblem("only one plan can be the most chosen one")
		}
		plans = append(plans, plan)
	}
	if n.IsList() && len(plans) == 0 {
		n.AddProblem("must contain at least one plan")
	}
	return plans
}

func readPlan(n strictjson.Node) Plan {
	o := n.Object("id", "name", "displayName", "description", "disabled", "mostChosen", "trialPeriodDays", "capabilities")
	plan := Plan{
		ID:              readPlanID(o.Get("id")),
		Name:            o.Get("name").Text(),
		DisplayName:     o.Get("displayName").Text(),
		Description:     o.Get("description").Text(),
		TrialPeriodDays: o.Get("trialPeriodDays").Integer(0, MaxTrialDays),
		Capabilities:    readCapabilities(o.Get("capabilities")),
	}
	if disabledNode, found := o.Find("disabled"); found {
		plan.Disabled = disabledNode.Flag()
	}
	if mostChosenNode, found := o.Find("mostChosen"); found {
		plan.MostChosen = mostChosenNode.Flag()
	}
	return plan
}

func readPlanID(n strictjson.Node) string {
	id := n.Text()
	if id != "" && !ValidPlanID(id) {
		n.AddProblem("%q must be up to 64 lower-case letters, digits and hyphens", id)
	}
	return id
}

// readCapabilities reads a value for every capability and no others.
func readCapabilities(n strictjson.Node) Capabilities {
	o := n.Object(capabilityNames...)
	capabilities := Capabilities{}
	for _, name := range capabilityNames {
		capabilities[name] = readValue(o.Get(name))
	}
	return capabilities
}

func readValue(n strictjson.Node) Value {
	switch {
	case n.IsText():
		return Text(n.Text())
	case n.IsFlag(), n.IsMissing():
		return Flag(n.Flag())
	}
	n.AddProblem("must be true, false or a string")
	return Value{}
}

// readPrices reads the price table: plan, then currency, then interval. An enabled plan must have
// all prices; a disabled one may have none.
func (c *Catalogue) readPrices(n strictjson.Node) {
	c.prices = map[PriceRef]money.Amount{}
	for _, plan := range n.Entries() {
		if !slices.ContainsFunc(c.plans, func(p Plan) bool { return p.ID == plan.Key }) {
			plan.Node.AddProblem("there is no plan with this id")
		}
		for _, currency := range plan.Node.Entries() {
			c.readCurrencyPrices(currency, PriceRef{Product: plan.Key, Currency: currency.Key})
		}
	}
	if n.IsObject() {
		c.reportMissingPrices(n)
	}
}

func (c *Catalogue) readCurrencyPrices(e strictjson.Entry, ref PriceRef) {
	if !c.listsCurrency(ref.Currency) {
		e.Node.AddProblem("%q is not among the currencies", ref.Currency)
	}
	o := e.Node.Object(string(Monthly), string(Yearly))
	for _, interval := range allIntervals {
		ref.Interval = interval
		c.readPrice(o.Get(string(interval)), ref)
	}
}

// readPrice reads an amount in whole units of the currency, or null for a price on application.
func (c *Catalogue) readPrice(n strictjson.Node, ref PriceRef) {
	if n.IsNull() || n.IsMissing() || !c.listsCurrency(ref.Currency) {
		return
	}
	text, ok := n.Number()
	if !ok {
		return
	}
	amount, err := money.Parse(text, ref.Currency)
	switch {
	case err != nil:
		n.AddProblem("%s", fault.MessageOf(err))
	case amount.Minor() < 0:
		n.AddProblem("%s is negative", text)
	case amount.Minor() > maxPrice:
		n.AddProblem("%s is too large an amount", text)
	case !amount.IsExact():
		n.AddProblem("%s can't be shown and paid exactly in %s", text, ref.Currency)
	}
	c.prices[ref] = amount
}

// reportMissingPrices reports the missing prices of enabled plans.
func (c *Catalogue) reportMissingPrices(n strictjson.Node) {
	for _, plan := range c.plans {
		for _, currency := range c.currencies {
			for _, interval := range allIntervals {
				ref := PriceRef{Product: plan.ID, Interval: interval, Currency: currency.Code}
				if _, known := c.prices[ref]; !known && !plan.Disabled {
					n.AddProblem("the enabled plan %q has no %s price in %s", plan.ID, interval, currency.Code)
				}
			}
		}
	}
}
