import { Link } from 'react-router-dom';
import { buttonClass } from '@/components/Button';
import { PageTitle } from '@/components/PageTitle';
import { paths } from '@/lib/paths';
import { useLinkDebugParam } from '@/lib/use-debug-param';

/** The screen of unknown addresses, with links to the main screens. */
export default function NotFoundScreen() {
  const debugParam = useLinkDebugParam();
  return (
    <div className="page max-w-2xl py-16">
      <PageTitle title="Page not found">We can’t find this page</PageTitle>
      <p className="mt-4">The address may be mistyped, or the page may have moved.</p>
      <p className="mt-6 flex flex-wrap gap-3">
        <Link to={paths.plans(debugParam)} className={buttonClass()}>
          See the plans
        </Link>
        <Link to={paths.dash(debugParam)} className={buttonClass('secondary')}>
          Go to your dashboard
        </Link>
        <Link to={paths.contact({}, debugParam)} className={buttonClass('secondary')}>
          Contact us
        </Link>
      </p>
    </div>
  );
}
