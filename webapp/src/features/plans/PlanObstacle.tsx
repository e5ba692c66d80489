import type { UserDetail } from '@/api';
import { routes } from '@/lib/paths';
import { obstacleDate } from '@/modules/billing/obstacle-text';
import { useConfig } from '@/modules/config/config-store';
import { AppLink } from '@/modules/session/AppLink';
import { breakDates } from '@/modules/session/dates';

interface PlanObstacleProps {
  id: string;
  obstacle: NonNullable<UserDetail['planObstacles']>[string];
}

/** Explains under the button of a plan why the plan can't be chosen now. */
export default function PlanObstacle({ id, obstacle }: PlanObstacleProps) {
  const { timeZone } = useConfig();
  return (
    <div id={id} className="mt-3 space-y-1 text-sm text-muted">
      <p>{obstacle.reason}</p>
      <p className="empty:hidden">{breakDates(obstacleDate(obstacle, timeZone))}</p>
      <p>
        <AppLink to={routes.dash} className="text-link">
          Go to your dashboard
        </AppLink>
      </p>
    </div>
  );
}
