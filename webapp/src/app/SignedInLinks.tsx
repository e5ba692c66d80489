import { type MouseEvent, useEffect } from 'react';
import { paths, routes } from '@/lib/paths';
import { useGo } from '@/modules/session/navigation';
import { forgetPurchaseNotice } from '@/modules/session/purchase-notice';
import { type User, useSessionStore } from '@/modules/session/session-store';
import { AccountMenu } from './AccountMenu';
import { HeaderItem, headerLinkClass, RouteLink } from './RouteLink';

/** The links of the header for a signed-in user. */
export default function SignedInLinks({ user }: { user: User }) {
  const signOut = useSignOut();
  // Every page of a signed-in user has these links, so the next sign-in form shows no old notice.
  useEffect(forgetPurchaseNotice, []);
  return (
    <>
      <HeaderItem>
        <RouteLink to={routes.dash}>Dashboard</RouteLink>
      </HeaderItem>
      <HeaderItem>
        <SignOutLink signOut={signOut} />
      </HeaderItem>
      <HeaderItem>
        <AccountMenu name={user.org.name || user.email || 'Your account'} onSignOut={signOut} />
      </HeaderItem>
    </>
  );
}

/**
 * Returns a function that signs out by a call and then opens the dashboard. If the call fails, the user stays on the page; a
 * plain link would show the error as JSON.
 */
function useSignOut(): () => void {
  const go = useGo({ entersArea: true });
  const { signOut } = useSessionStore.getState();
  return () =>
    void signOut().then((isSignedOut) => {
      if (isSignedOut) go(routes.dash);
    });
}

function SignOutLink({ signOut }: { signOut: () => void }) {
  function signOutByCall(event: MouseEvent<HTMLAnchorElement>) {
    if (!isPlainClick(event)) return;
    event.preventDefault();
    signOut();
  }

  return (
    <a href={paths.logout} onClick={signOutByCall} className={headerLinkClass}>
      Sign Out
    </a>
  );
}

/** Whether a click would open the link in this tab. */
function isPlainClick({ button, metaKey, altKey, ctrlKey, shiftKey }: MouseEvent): boolean {
  return button === 0 && !(metaKey || altKey || ctrlKey || shiftKey);
}
