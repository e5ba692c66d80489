import { type Offer, type Price, perInterval, priceText } from '@/features/payment/offer';
import { SelectedPlanBanner } from '@/features/plans/SelectedPlanBanner';
import { Card } from '@/ui/Card';

/** The plan that was chosen: what it costs, the trial, and what happens next. */
export function PlanSummary({ offer: { plan, ref, price } }: { offer: Offer & { price: Price } }) {
  const days = plan.trialPeriodDays;
  return (
    <Card aria-label="Your choice">
      <SelectedPlanBanner displayName={plan.displayName} />
      <p className="figures mt-5 flex flex-wrap items-baseline gap-x-2">
        <strong className="text-2xl">{priceText(price)}</strong>
        <span className="text-muted">{perInterval(ref.interval)}</span>
      </p>
      {days > 0 && <p className="mt-1 font-semibold">{`Free for the first ${days} days`}</p>}
      <p className="mt-4 border-t border-line pt-4 text-sm text-muted">
        Next: follow the link in our e-mail, sign in, and add a card.
        {days > 0 && ' You pay nothing today.'}
      </p>
    </Card>
  );
}
