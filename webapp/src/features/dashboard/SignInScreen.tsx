import { useLocation } from 'react-router-dom';
import { AppLink } from '@/components/AppLink';
import { Call } from '@/components/illustrations/Call';
import { PageTitle } from '@/components/PageTitle';
import { SignInForm } from '@/components/SignInForm';
import { useGo } from '@/lib/navigation';
import { registeredState } from '@/lib/navigation-state';
import { paidEmail } from '@/lib/paid-before-sign-out';
import { routes } from '@/lib/paths';
import { SignInNotice } from './SignInNotice';

/** The sign-in form with notices about the previous step, beside an illustration where it fits. */
export function SignInScreen() {
  const go = useGo();
  const { email: known } = registeredState(useLocation().state);
  return (
    <div className="page @container">
      <div className="mx-auto flex max-w-5xl items-center justify-center gap-20 pb-8 @min-[60rem]:justify-between">
        <div className="w-full max-w-100">
          <SignInForm
            email={known ?? paidEmail() ?? ''}
            above={(attempt) => (
              // Grows upwards, so that the fields stay where they are when a notice appears.
              <div className="flex min-h-36 flex-col justify-end @min-[60rem]:min-h-52">
                <PageTitle>Sign in</PageTitle>
                <SignInNotice {...attempt} />
              </div>
            )}
            // Removes the notice about a verification from the address; the focus moves to the new heading.
            onSignedIn={() => go(routes.dash, { replace: true })}
          />
          <p className="mt-5 text-sm text-muted">
            No account yet?{' '}
            <AppLink to={routes.plans} className="text-link">
              Choose a plan
            </AppLink>
          </p>
        </div>
        <Call className="hidden w-120 min-w-0 shrink @min-[60rem]:block" />
      </div>
    </div>
  );
}
