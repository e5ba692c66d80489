import { Link } from 'react-router-dom';
import { paths } from '@/lib/paths';
import { useDebugParam } from '@/lib/use-debug-param';

/** Shows the plan that was chosen on the plans page, with a link back to it. */
export function SelectedPlanBanner({ displayName }: { displayName: string }) {
  const debugParam = useDebugParam();
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-3 gap-y-1">
      <p className="font-semibold">{`You are subscribing to a ${displayName} plan`}</p>
      <Link to={paths.plans(debugParam)} className="text-link text-sm">
        Change plan?
      </Link>
    </div>
  );
}
