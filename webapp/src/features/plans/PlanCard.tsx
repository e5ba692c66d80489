import { lazy, useDeferredValue } from 'react';
import { Badge } from '@/components/Badge';
import { CheckIcon } from '@/components/icons';
import { Notice } from '@/components/Notice';
import { cx } from '@/lib/cx';
import { loadChunk } from '@/lib/load-chunk';
import { obstacleOf, PlanButton, type PlanButtonProps } from './PlanButton';
import type { PlanSummary } from './plan-summary';
import type { PriceTexts } from './price-texts';

/** Loaded only for users with an obstacle. The plans wait for it, so that the layout does not shift. */
const PlanObstacle = lazy(() => loadChunk(import('./PlanObstacle')));

interface PlanCardProps extends Omit<PlanButtonProps, 'hasPrice' | 'size'> {
  priceTexts: PriceTexts | null;
  summary: PlanSummary;
  /** Whether this is the current plan of the customer. */
  isCurrent: boolean;
  /** Whether this is the current plan of the customer or, if there is none, the recommended plan. */
  isHighlighted: boolean;
}

/** A plan with its description, price, button, and the features that it adds to the previous plan. */
export function PlanCard({
  priceTexts,
  summary,
  isCurrent,
  isHighlighted,
  ...buttonProps
}: PlanCardProps) {
  const { plan, view } = buttonProps;
  const badge = isCurrent ? 'Your plan' : plan.mostChosen && 'Most chosen';
  const titleId = `plan-${plan.id}`;
  // Deferred, so that the plans stay visible while the script loads for an obstacle that a refresh has found.
  const obstacle = useDeferredValue(view.mode !== 'disabled' && obstacleOf(plan, view));
  return (
    <section
      aria-labelledby={titleId}
      className={cx('plan-card', isHighlighted && 'plan-card-highlighted')}
    >
      <div className="flex flex-wrap items-center justify-between gap-x-2">
        <h2 id={titleId} className="text-xl">
          {plan.displayName}
        </h2>
        {badge && (
          <p className="wide:absolute wide:-top-3.5 wide:left-5">
            <Badge>{badge}</Badge>
          </p>
        )}
      </div>
      <p className="mt-1 text-sm text-muted">{plan.description}</p>
      <div className="mt-4">
        {priceTexts ? <Price {...priceTexts} currency={view.currency} /> : <NoPrice />}
      </div>
      <div className="mt-4">
        <PlanButton {...buttonProps} hasPrice={priceTexts !== null} />
        {obstacle && <PlanObstacle id={`${titleId}-obstacle`} obstacle={obstacle} />}
        <ButtonFailure {...buttonProps} />
        <NextPlanLabel {...buttonProps} />
      </div>
      <div className="mt-5 border-t border-line pt-4 text-sm">
        <h3 className="font-semibold tracking-normal">{summary.title}</h3>
        <CheckedList items={summary.items} />
      </div>
    </section>
  );
}

const Price = ({ perMonth, note, billingText, currency }: PriceTexts & { currency: string }) => (
  <>
    <p className="flex items-center gap-x-2">
      <span translate="no" className="amount text-3xl font-heading">
        {perMonth}
      </span>{' '}
      <span className="text-sm leading-tight text-muted">
        <span translate="no" className="block">
          {currency}
        </span>{' '}
        <span>per month</span>
      </span>
    </p>
    <p className="mt-1 max-w-[20ch] text-sm text-balance text-muted">{note}</p>
    {billingText && <p className="text-sm text-muted">{billingText}</p>}
  </>
);

const NoPrice = () => <p className="text-lg font-semibold">Price on application</p>;

/**
 * Shows why the action of the button failed. The message scrolls into view, because the button may be in the comparison.
 */
function ButtonFailure({
  plan,
  planAction: { buttonState },
}: Pick<PlanButtonProps, 'plan' | 'planAction'>) {
  if (buttonState.status !== 'failed' || buttonState.product !== plan.id) return null;
  return (
    <div ref={(element) => element?.scrollIntoView({ block: 'nearest' })}>
      <Notice tone="danger" className="mt-3 text-sm">
        {buttonState.message}
      </Notice>
    </div>
  );
}

/** Says that this is the new plan of a scheduled change. */
function NextPlanLabel({ plan, view }: Pick<PlanButtonProps, 'plan' | 'view'>) {
  const scheduledChange = view.license?.scheduled_change;
  if (scheduledChange?.product !== plan.id) return null;
  return (
    <p className="mt-3 text-sm font-semibold text-brand">
      {`Your next plan, billed ${scheduledChange.interval}`}
    </p>
  );
}

/** A list with tick marks. */
export const CheckedList = ({ items }: { items: string[] }) => (
  <ul className="mt-2 space-y-1.5 text-sm">
    {items.map((item) => (
      <li key={item} className="flex gap-2">
        <CheckIcon size={16} className="mt-0.5 shrink-0 text-success" />
        <span className="min-w-0">{item}</span>
      </li>
    ))}
  </ul>
);
