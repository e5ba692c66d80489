import { useLocation } from 'react-router-dom';
import { VideoCall } from '@/components/illustrations/VideoCall';
import { PageTitle } from '@/components/PageTitle';
import { PicturePage } from '@/components/PicturePage';
import { routes } from '@/lib/paths';
import { AppLink } from '@/modules/session/AppLink';
import { useGo } from '@/modules/session/navigation';
import { registeredState } from '@/modules/session/navigation-state';
import { purchaseNotice } from '@/modules/session/purchase-notice';
import { SignInForm } from '@/modules/session/SignInForm';
import { useSession } from '@/modules/session/session-store';
import { DashboardSkeleton } from './DashboardSkeleton';
import { SignInNotice } from './SignInNotice';

/** The sign-in form, or the outline of the dashboard while the session is loading. */
export default function SignInScreen() {
  const { status } = useSession();
  return status === 'loading' ? <DashboardSkeleton /> : <SignInPage />;
}

/** The sign-in form with notices about the previous step. */
function SignInPage() {
  const go = useGo();
  const { email: registeredEmail } = registeredState(useLocation().state);
  return (
    <PicturePage isForm picture={<VideoCall className="mt-40 w-full" />}>
      <SignInForm
        email={registeredEmail ?? purchaseNotice()?.email}
        renderHeading={(attempt) => (
          // Reserves room for a notice, so that the fields do not move. In narrow windows a picture fills the room that is
          // left.
          <div className="flex min-h-58 flex-col justify-end @min-[60rem]:-mt-10 @min-[60rem]:min-h-54">
            <div className="relative grow basis-0 [container-type:size] @min-[60rem]:hidden">
              <VideoCall className="absolute inset-0 size-full! [@container_(max-height:3rem)]:hidden" />
            </div>
            <PageTitle className="mt-4 @min-[60rem]:mt-0">Sign in</PageTitle>
            <SignInNotice {...attempt} />
          </div>
        )}
        // The navigation removes `verified` from the URL and moves the focus to the new heading.
        onSignedIn={() => go(routes.dash, { replace: true })}
      />
      <p className="mt-5 text-sm text-muted @min-[60rem]:mb-24">
        No account yet?{' '}
        <AppLink to={routes.plans} className="text-link">
          Choose a plan
        </AppLink>
      </p>
    </PicturePage>
  );
}
