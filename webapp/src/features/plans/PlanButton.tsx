import type { Plan } from '@/api';
import { Button } from '@/components/Button';
import { cx } from '@/lib/cx';
import { planButton } from '@/rules/button';
import { priceRefOf } from './price-texts';
import type { usePlanAction } from './use-plan-action';
import type { PlansView } from './use-plans-view';

export interface PlanButtonProps {
  plan: Plan;
  /** Whether the plan has a price in the displayed currency. */
  hasPrice: boolean;
  view: PlansView;
  planAction: ReturnType<typeof usePlanAction>;
  /** Whether the button is solid, to stand out from the others. */
  solid?: boolean;
  /** The default is the width of the card. */
  size?: 'wide' | 'inline' | 'small';
}

/** The button of a plan, described by the heading of its card. */
export function PlanButton(props: PlanButtonProps) {
  const { plan, hasPrice, view, planAction, solid, size = 'wide' } = props;
  const { buttonState, performAction } = planAction;
  const obstacle = obstacleOf(plan, view);
  const button = planButton({ ...view, plan, hasPrice, hasOrder: view.hasOrder && !obstacle });
  const isPreview = view.mode === 'disabled';
  const isBlocked = !button.disabled && obstacle !== undefined;
  return (
    <Button
      wide={size === 'wide'}
      small={size === 'small'}
      variant={solid && button.action !== 'contact' ? 'primary' : 'secondary'}
      busy={buttonState.status === 'busy' && buttonState.product === plan.id}
      disabled={button.disabled && !isPreview}
      unavailable={isBlocked || (button.disabled && isPreview)}
      aria-describedby={cx(
        `plan-${plan.id}`,
        isBlocked && `plan-${plan.id}-obstacle`,
        isPreview && 'plans-disabled',
      )}
      onClick={() => void performAction(button.action, priceRefOf(plan, view))}
    >
      {button.label}
    </Button>
  );
}

/** Returns the reason why the displayed price of a plan can't be chosen now, or undefined for none. */
export const obstacleOf = ({ id }: Plan, { obstacles, interval }: PlansView) =>
  obstacles?.[`${id}_${interval}`];
