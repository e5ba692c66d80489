import type { UserDetail } from '@/api';
import { routes } from '@/lib/paths';
import { obstacleDate } from '@/modules/billing/obstacle-text';
import { can } from '@/modules/config/capabilities';
import { useConfig } from '@/modules/config/config-store';
import { AppLink } from '@/modules/session/AppLink';
import { breakDates } from '@/modules/session/dates';

interface PlanObstacleProps {
  id: string;
  obstacle: NonNullable<UserDetail['planObstacles']>[string];
}

/** Explains under the button of a plan why the plan can't be chosen now. */
export default function PlanObstacle({ id, obstacle }: PlanObstacleProps) {
  const hasBilling = can(useConfig(), 'billing');
  return (
    <div id={id} className="mt-3 space-y-1 text-sm text-muted">
      <p>{obstacle.reason}</p>
      <p className="empty:hidden">{breakDates(obstacleDate(obstacle))}</p>
      <p>
        <AppLink to={hasBilling ? routes.billing : routes.dash} className="text-link">
          {hasBilling ? 'See your billing' : 'Go to your dashboard'}
        </AppLink>
      </p>
    </div>
  );
}
