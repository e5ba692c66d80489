package stripepayment

import (
	"context"
	"slices"

	"github.com/stripe/stripe-go/v85"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/money"
)

// periodAmount returns what the subscription's plan costs for one period, before discounts. It returns the zero value if
// the subscription has no item, or its amount is unknown, see priceAmount.
func (p *Provider) periodAmount(ctx context.Context, s *stripe.Subscription) (money.Amount, error) {
	item := p.planItem(s)
	if item == nil || item.Price == nil {
		return money.Amount{}, nil
	}
	return p.priceAmount(ctx, item.Price, item.Quantity, currencyCode(s.Currency))
}

// priceAmount returns what a quantity of the price costs for one period. It returns the zero value if the price has no
// fixed amount, see hasFixedAmount, or no amount in the currency. It reads a price's amounts in other currencies only
// once, because they never change.
func (p *Provider) priceAmount(
	ctx context.Context, price *stripe.Price, quantity int64, currency string,
) (money.Amount, error) {
	if !hasFixedAmount(price) || quantity < 1 {
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

// hasFixedAmount reports whether each unit of the price costs the same whole amount. That is false for prices with tiers,
// fractions of the smallest unit, metered usage, quantities that are divided, and amounts that the customer chooses.
func hasFixedAmount(price *stripe.Price) bool {
	isMetered := price.Recurring != nil && price.Recurring.UsageType == stripe.PriceRecurringUsageTypeMetered
	return price.BillingScheme != stripe.PriceBillingSchemeTiered && price.TransformQuantity == nil &&
		price.CustomUnitAmount == nil && !isMetered && !hasFraction(price.UnitAmount, price.UnitAmountDecimal)
}

// hasFraction reports whether the amount has a fraction of the smallest unit, which Stripe reports in the decimal only.
func hasFraction(units int64, decimal float64) bool { return decimal != 0 && decimal != float64(units) }

// renewalAmount returns the total of the next invoice, or the zero value if isRenewalKnown is false. If the subscription
// has adjustments, Stripe previews that invoice. Otherwise the total is the price, and no request is sent. If the preview
// fails, renewalAmount logs the error and returns the zero value.
func (p *Provider) renewalAmount(ctx context.Context, s *stripe.Subscription, billingSub billing.Subscription) money.Amount {
	change := billingSub.RenewalChange()
	switch {
	case !isRenewalKnown(s), change != nil && change.Amount == (money.Amount{}):
		return money.Amount{}
	case billingSub.NextChargeAt().IsZero() || !hasAdjustments(s) && !endsInNextPeriod(s):
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

// isRenewalKnown reports whether the total and the date of the next invoice follow from the fields that this package
// reads. Each item must have a fixed amount and the same period, and neither a threshold nor a phase of the schedule may
// cause an earlier invoice.
func isRenewalKnown(s *stripe.Subscription) bool {
	first := firstItem(s)
	if next := nextPhase(s.Schedule); next != nil && next.StartDate < first.CurrentPeriodEnd {
		return false
	}
	for _, item := range itemsOf(s) {
		if item.Price == nil || !hasFixedAmount(item.Price) || item.Quantity < 1 ||
			item.CurrentPeriodEnd != first.CurrentPeriodEnd || item.BillingThresholds != nil {
			return false
		}
	}
	return s.BillingThresholds == nil && len(itemsOf(s)) > 0
}

// endsInNextPeriod reports whether the subscription ends within the period after the current one, for which Stripe may
// charge only a part of the price.
func endsInNextPeriod(s *stripe.Subscription) bool {
	end, renewal := endsAt(s), periodEnd(s)
	if end.IsZero() {
		return false
	}
	recurring := &stripe.PriceRecurring{Interval: stripe.PriceRecurringIntervalYear, IntervalCount: 1}
	if price := firstItem(s).Price; price != nil && price.Recurring != nil {
		recurring = price.Recurring
	}
	count, nextEnd := int(max(recurring.IntervalCount, 1)), renewal
	switch recurring.Interval {
	case stripe.PriceRecurringIntervalDay:
		nextEnd = renewal.AddDate(0, 0, count)
	case stripe.PriceRecurringIntervalWeek:
		nextEnd = renewal.AddDate(0, 0, 7*count)
	case stripe.PriceRecurringIntervalMonth:
		nextEnd = renewal.AddDate(0, count, 0)
	case stripe.PriceRecurringIntervalYear:
		nextEnd = renewal.AddDate(count, 0, 0)
	}
	return end.Before(nextEnd)
}

// hasAdjustments reports whether the next invoice of the subscription contains anything besides the price of one plan.
// Operators can add discounts to the subscription or its customer, taxes that are not part of the price, and items or
// another quantity to the subscription or its schedule.
func hasAdjustments(s *stripe.Subscription) bool {
	items := itemsOf(s)
	return isAdjusted(nextPhase(s.Schedule)) || len(items) != 1 || items[0].Quantity != 1 || len(s.Discounts) > 0 || len(items[0].Discounts) > 0 ||
		hasDiscount(s.Customer) || hasExclusiveTax(s)
}

// isAdjusted reports whether the phase, which may be nil, charges more or less than the price of one plan.
func isAdjusted(phase *stripe.SubscriptionSchedulePhase) bool {
	return phase != nil && (len(phase.Items) != 1 || phase.Items[0].Quantity != 1 || len(phase.Discounts) > 0 ||
		len(phase.AddInvoiceItems) > 0)
}

// hasExclusiveTax reports whether a tax may be added to the price of the subscription.
func hasExclusiveTax(s *stripe.Subscription) bool {
	isExclusive := func(rate *stripe.TaxRate) bool { return !rate.Inclusive }
	item := firstItem(s)
	isPriceInclusive := item.Price != nil && item.Price.TaxBehavior == stripe.PriceTaxBehaviorInclusive
	return slices.ContainsFunc(s.DefaultTaxRates, isExclusive) || slices.ContainsFunc(item.TaxRates, isExclusive) ||
		s.AutomaticTax != nil && s.AutomaticTax.Enabled && !isPriceInclusive
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
