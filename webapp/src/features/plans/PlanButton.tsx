import type { Plan } from '@/api';
import { Button } from '@/components/Button';
import { cx } from '@/lib/cx';
import { buttonOf } from '@/rules/button';
import { priceRefOf } from './figures';
import type { usePlanAction } from './use-plan-action';
import type { PlansView } from './use-plans';

export interface PlanButtonProps {
  plan: Plan;
  /** Whether the plan has a price in the shown currency. */
  priced: boolean;
  view: PlansView;
  action: ReturnType<typeof usePlanAction>;
  /** The one solid button of the page. */
  solid?: boolean;
  /** By default it takes the width of its card. */
  size?: 'wide' | 'inline' | 'small';
}

/** The button of a plan, described by the heading of its card. */
export function PlanButton({ plan, priced, view, action, solid, size = 'wide' }: PlanButtonProps) {
  const { press, start } = action;
  const button = buttonOf({ ...view, plan, priced });
  const preview = view.mode === 'disabled';
  return (
    <Button
      wide={size === 'wide'}
      small={size === 'small'}
      look={solid && button.action !== 'contact' ? 'primary' : 'secondary'}
      busy={press.status === 'busy' && press.product === plan.id}
      disabled={button.disabled && !preview}
      unavailable={button.disabled && preview}
      aria-describedby={cx(`plan-${plan.id}`, preview && 'plans-disabled')}
      onClick={() => void start(button.action, priceRefOf(plan, view))}
    >
      {button.label}
    </Button>
  );
}
