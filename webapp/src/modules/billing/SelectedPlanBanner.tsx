import { routes } from '@/lib/paths';
import { AppLink } from '@/modules/session/AppLink';

/**
 * Shows the plan that was chosen on the plans page, with a link back to it. On phones the sentence is smaller than the
 * page's title, which is then the largest contentful paint.
 */
export function SelectedPlanBanner({ displayName }: { displayName: string }) {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-3 gap-y-1">
      <p className="text-sm font-semibold sm:text-base">{`You are subscribing to a ${displayName} plan`}</p>
      <AppLink to={routes.plans} className="text-link text-sm">
        Change plan?
      </AppLink>
    </div>
  );
}
