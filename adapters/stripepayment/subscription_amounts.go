package stripepayment

import (
	"context"

	"github.com/stripe/stripe-go/v85"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/money"
)

// periodAmount returns what the subscription's plan costs for one period, before discounts. It returns the zero value if
// the subscription has no item, or its price has tiers.
func (p *Provider) periodAmount(ctx context.Context, s *stripe.Subscription) (money.Amount, error) {
	item := p.planItem(s)
	if item == nil || item.Price == nil {
		return money.Amount{}, nil
	}
	return p.priceAmount(ctx, item.Price, item.Quantity, currencyCode(s.Currency))
}

// priceAmount returns what a quantity of the price costs for one period, or the zero value if the price has tiers or no
// amount in the currency. It reads a price's amounts in other currencies only once, because they never change.
func (p *Provider) priceAmount(
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
	units, ok := priceUnits(price, currency)
	if !ok {
		return money.Amount{}, nil
	}
	return fromStripeUnits(units*quantity, currency), nil
}

// renewalAmount returns the total of the next invoice. If the subscription has adjustments, Stripe previews that
// invoice. Otherwise the total is the price, and no request is sent. If the preview fails, renewalAmount logs the error
// and returns the zero value.
func (p *Provider) renewalAmount(ctx context.Context, s *stripe.Subscription, billingSub billing.Subscription) money.Amount {
	change := billingSub.RenewalChange()
	if billingSub.NextChargeAt().IsZero() || !hasAdjustments(s) {
		if change != nil {
			return change.Amount
		}
		return billingSub.Amount
	}
	params := &stripe.InvoiceCreatePreviewParams{Subscription: &s.ID}
	if change != nil {
		if nextPhase(s.Schedule) == nil {
			return money.Amount{} // the schedule was released for a change that is pending, so it can't be previewed
		}
		params = &stripe.InvoiceCreatePreviewParams{Schedule: &s.Schedule.ID}
	}
	params.SetIdempotencyKey(newKey())
	inv, err := p.stripe.V1Invoices.CreatePreview(ctx, params)
	if err != nil {
		_ = p.logFault(ctx, "preview renewal", err)
		return money.Amount{}
	}
	return fromStripeUnits(inv.Total, currencyCode(inv.Currency))
}

// hasAdjustments reports whether the next invoice of the subscription has more than the price of one plan, because an
// operator has added discounts to the subscription or its customer, or items to the subscription or its schedule.
func hasAdjustments(s *stripe.Subscription) bool {
	if next := nextPhase(s.Schedule); next != nil && (len(next.Items) != 1 || next.Items[0].Quantity != 1) {
		return true
	}
	items := itemsOf(s)
	return len(items) != 1 || len(s.Discounts) > 0 || len(items[0].Discounts) > 0 || hasDiscount(s.Customer)
}

func hasDiscount(c *stripe.Customer) bool { return c != nil && c.Discount != nil }

// discountLine returns a line with the sum of the invoice's discounts, and false if there are none. The other lines
// have their amounts before discounts.
func discountLine(inv *stripe.Invoice) (line billing.Line, ok bool) {
	var sum int64
	for _, discount := range inv.TotalDiscountAmounts {
		sum += discount.Amount
	}
	return billing.Line{Description: "Discount", Amount: fromStripeUnits(-sum, currencyCode(inv.Currency))}, sum != 0
}
