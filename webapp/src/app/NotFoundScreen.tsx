import { buttonClass } from '@/components/Button';
import { WaitingRoom } from '@/components/illustrations/WaitingRoom';
import { PageTitle } from '@/components/PageTitle';
import { PicturePage } from '@/components/PicturePage';
import { routes } from '@/lib/paths';
import { AppLink } from '@/modules/session/AppLink';

/** The screen of unknown URLs, with links to the main screens. */
export default function NotFoundScreen() {
  return (
    <PicturePage picture={<WaitingRoom className="w-full" />}>
      <PageTitle title="Page not found">We can’t find this page</PageTitle>
      <p className="mt-4">The address may be mistyped, or the page may have moved.</p>
      <p className="mt-6 flex flex-wrap gap-3">
        <AppLink entersArea to={routes.plans} className={buttonClass()}>
          See the plans
        </AppLink>
        <AppLink entersArea to={routes.dash} className={buttonClass('secondary')}>
          Go to your dashboard
        </AppLink>
        <AppLink entersArea to={routes.contact} className={buttonClass('secondary')}>
          Contact us
        </AppLink>
      </p>
    </PicturePage>
  );
}
