import { type Offer, perInterval, priceText } from '@/features/payment/offer';
import { SelectedPlanBanner } from '@/features/plans/SelectedPlanBanner';
import { Card } from '@/ui/Card';

/** The plan that was chosen: what it costs, the trial, and what happens next. */
export function PlanSummary({ offer: { plan, ref, price } }: { offer: Offer }) {
  const trial = plan.trialPeriodDays > 0;
  return (
    <Card aria-labelledby="chosen-plan" className="p-5">
      <SelectedPlanBanner displayName={plan.displayName} />
      <h2 id="chosen-plan" className="mt-5 text-xl">
        {plan.displayName}
      </h2>
      <p className="mt-1 text-sm text-muted">{plan.description}</p>
      <p className="figures mt-4 flex flex-wrap items-baseline gap-x-2">
        {price ? (
          <>
            <strong className="text-2xl">{priceText(price)}</strong>
            <span className="text-muted">{perInterval(ref.interval)}</span>
          </>
        ) : (
          <span className="text-muted">Price on application</span>
        )}
      </p>
      {trial && <p className="mt-2 font-semibold">Free for {plan.trialPeriodDays} days</p>}
      <p className="mt-4 border-t border-line pt-4 text-sm text-muted">
        Next: confirm your address from our e-mail, sign in, and add a card.
        {trial && ' You pay nothing today.'}
      </p>
    </Card>
  );
}
