package stripeserver

import (
	"strconv"

	"github.com/vc-admin/diy/domain/catalogue"
)

func (v view) price(id string) object {
	p := v.shelf.findPrice(id)
	if p == nil {
		return nil
	}
	own := p.amounts[p.currency]
	return object{
		"id": id, "object": "price", "livemode": false, "active": p.active, "product": p.product, "currency": p.currency,
		"unit_amount": own, "unit_amount_decimal": strconv.FormatInt(own, 10), "type": "recurring", "billing_scheme": "per_unit",
		"recurring":  object{"interval": recurs(p.interval), "interval_count": 1, "usage_type": "licensed"},
		"lookup_key": orNull(p.key), "nickname": orNull(p.nickname), "created": p.created, "metadata": v.notes.metadataOf(id),
	}
}

func recurs(interval catalogue.Interval) string {
	if interval == catalogue.Yearly {
		return "year"
	}
	return "month"
}

// currencyOptions is what a price costs in each of its currencies, its own among them.
func (v view) currencyOptions(id string) any {
	out := object{}
	for currency, amount := range v.shelf.findPrice(id).amounts {
		out[currency] = object{"unit_amount": amount, "unit_amount_decimal": strconv.FormatInt(amount, 10)}
	}
	return out
}
