package stripepayment

import (
	"context"

	"github.com/stripe/stripe-go/v85"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/money"
)

// periodAmount returns what the subscription's plan costs for one period, before discounts. It returns the zero amount
// without a plan, and for a price that Stripe computes from usage or tiers.
func (p *Provider) periodAmount(ctx context.Context, s *stripe.Subscription) (money.Amount, error) {
	item := p.planItem(s)
	if item == nil || item.Price == nil {
		return money.Amount{}, nil
	}
	return p.amountOf(ctx, item.Price, item.Quantity, currencyCode(s.Currency))
}

// amountOf returns what a quantity of the price costs for one period. Stripe includes only the price's own currency;
// the amounts in the others never change either, so they are read once.
func (p *Provider) amountOf(
	ctx context.Context, price *stripe.Price, quantity int64, currency string,
) (money.Amount, error) {
	if price.BillingScheme == stripe.PriceBillingSchemeTiered {
		return money.Amount{}, nil
	}
	if currencyCode(price.Currency) != currency {
		var err error
		if price, err = p.priceWithCurrencies(ctx, price.ID); err != nil {
			return money.Amount{}, err
		}
	}
	units, priced := priceUnits(price, currency)
	if !priced {
		return money.Amount{}, nil
	}
	return fromStripeUnits(units*quantity, currency), nil
}

// renewalOf returns the total of the next invoice. Stripe previews it if anything but the prices decides about it, so
// that a subscription without discounts costs no request. A failure is logged, and leaves the amount unknown.
func (p *Provider) renewalOf(ctx context.Context, s *stripe.Subscription, out billing.Subscription) money.Amount {
	change, params := out.RenewalChange(), &stripe.InvoiceCreatePreviewParams{Subscription: &s.ID}
	switch {
	case out.NextChargeAt().IsZero(), !hasAdjustments(s):
		if change != nil {
			return change.Amount
		}
		return out.Amount
	case change == nil:
	case futurePhase(s.Schedule) == nil: // it is scheduled again if the pending change is not made
		return money.Amount{}
	default:
		params = &stripe.InvoiceCreatePreviewParams{Schedule: &s.Schedule.ID}
	}
	params.SetIdempotencyKey(newKey())
	inv, err := p.stripe.V1Invoices.CreatePreview(ctx, params)
	if err != nil {
		_ = p.fault(ctx, "preview renewal", err) // it logs the error
		return money.Amount{}
	}
	return fromStripeUnits(inv.Total, currencyCode(inv.Currency))
}

// hasAdjustments reports whether invoices of the subscription have more than the price of its plan: an operator's
// discounts, on the subscription or on its customer, other items, or a schedule with other items than the adapter's.
func hasAdjustments(s *stripe.Subscription) bool {
	all := items(s)
	if next := futurePhase(s.Schedule); next != nil && (len(next.Items) != 1 || next.Items[0].Quantity != 1) {
		return true
	}
	return len(all) != 1 || len(s.Discounts) > 0 || len(all[0].Discounts) > 0 || hasDiscount(s.Customer)
}

func hasDiscount(c *stripe.Customer) bool { return c != nil && c.Discount != nil }

// discountLine returns the line with the discounts of the invoice, whose lines have the amounts before them.
func discountLine(inv *stripe.Invoice) (line billing.Line, discounted bool) {
	var sum int64
	for _, discount := range inv.TotalDiscountAmounts {
		sum += discount.Amount
	}
	return billing.Line{Description: "Discount", Amount: fromStripeUnits(-sum, currencyCode(inv.Currency))}, sum != 0
}
