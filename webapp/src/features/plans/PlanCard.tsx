import type { ReactNode } from 'react';
import type { Plan } from '@/api';
import { Button } from '@/components/Button';
import { Notice } from '@/components/Notice';
import { cx } from '@/lib/cx';
import { buttonOf } from '@/rules/button';
import { type Figures, priceRefOf } from './figures';
import type { usePlanAction } from './use-plan-action';
import type { PlansView } from './use-plans';

interface PlanCardProps {
  plan: Plan;
  figures: Figures | null;
  view: PlansView;
  action: ReturnType<typeof usePlanAction>;
  /** The plan's feature list on narrow screens, which have no comparison table. */
  children?: ReactNode;
}

/** A plan with its description, price and button. */
export function PlanCard({ plan, figures, view, action, children }: PlanCardProps) {
  const titleId = `plan-${plan.id}`;
  const current = view.license?.raw.metadata.name === plan.id;
  return (
    <section
      aria-labelledby={titleId}
      className={cx(
        'plan-card rounded-card border bg-surface px-4 py-5',
        current ? 'border-brand' : 'border-line',
      )}
    >
      <h2 id={titleId} className="text-xl">
        {plan.displayName}
      </h2>
      <p className="mt-1 text-sm text-muted">{plan.description}</p>
      <div className="mt-4">
        {figures ? <Price {...figures} currency={view.currency} /> : <NoPrice />}
      </div>
      <div className="mt-5">
        <PlanButton plan={plan} priced={figures !== null} view={view} action={action} />
        <NextPlan plan={plan} view={view} />
      </div>
      {children}
    </section>
  );
}

const Price = ({ perMonth, note, tax, currency }: Figures & { currency: string }) => (
  <>
    <p className="flex items-center gap-x-2">
      <span className="figures text-3xl font-heading tracking-amount">{perMonth}</span>{' '}
      <span className="text-sm leading-tight text-muted">
        <span className="block">{currency}</span> <span>per month</span>
      </span>
    </p>
    <p className="figures mt-2 text-sm text-muted">{note}</p>
    {tax && <p className="figures text-sm text-muted">{tax}</p>}
  </>
);

/** Marks the plan that a scheduled change leads to. */
function NextPlan({ plan, view }: Pick<PlanCardProps, 'plan' | 'view'>) {
  const scheduled = view.license?.scheduled_change;
  if (scheduled?.product !== plan.id) return null;
  return (
    <p className="mt-3 text-sm font-semibold text-brand">
      {`Your next plan, billed ${scheduled.interval}`}
    </p>
  );
}

const NoPrice = () => <p className="pt-2 text-lg font-semibold">Price on application</p>;

function PlanButton({
  plan,
  priced,
  view,
  action: { press, start },
}: Pick<PlanCardProps, 'plan' | 'view' | 'action'> & { priced: boolean }) {
  const button = buttonOf({ ...view, plan, priced });
  const isPressed = press.status !== 'idle' && press.product === plan.id;
  return (
    <>
      <Button
        wide
        className="px-2"
        look={button.action === 'contact' ? 'secondary' : 'primary'}
        busy={isPressed && press.status === 'busy'}
        disabled={button.disabled && view.mode !== 'disabled'}
        unavailable={button.disabled && view.mode === 'disabled'}
        aria-describedby={cx(`plan-${plan.id}`, view.mode === 'disabled' && 'plans-disabled')}
        onClick={() => void start(button.action, priceRefOf(plan, view))}
      >
        {button.label}
      </Button>
      {isPressed && press.status === 'failed' && (
        <Notice tone="danger" className="mt-3 text-sm">
          {press.message}
        </Notice>
      )}
    </>
  );
}
