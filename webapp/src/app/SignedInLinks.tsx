import type { MouseEvent } from 'react';
import { paths, routes } from '@/lib/paths';
import { useGo } from '@/modules/session/navigation';
import { type User, useSessionStore } from '@/modules/session/session-store';
import { AccountMenu } from './AccountMenu';
import { Item, linkClass, RouteLink } from './RouteLink';

/** The links of the header for a signed-in user. */
export function SignedInLinks({ user }: { user: User }) {
  const signOut = useSignOut();
  return (
    <>
      <Item>
        <RouteLink to={routes.dash}>Dashboard</RouteLink>
      </Item>
      <Item>
        <SignOutLink signOut={signOut} />
      </Item>
      <Item>
        <AccountMenu name={user.org.name || user.email || 'Your account'} onSignOut={signOut} />
      </Item>
    </>
  );
}

/**
 * Signs out by a call, because the link's address responds to a failure with JSON. A failure is logged,
 * and the visitor stays on the page.
 */
function useSignOut(): () => void {
  const go = useGo({ intoArea: true });
  const { signOut } = useSessionStore.getState();
  return () =>
    void signOut().then((signedOut) => {
      if (signedOut) go(routes.dash);
    });
}

function SignOutLink({ signOut }: { signOut: () => void }) {
  function follow(event: MouseEvent<HTMLAnchorElement>) {
    if (!isPlainClick(event)) return;
    event.preventDefault();
    signOut();
  }

  return (
    <a href={paths.logout} onClick={follow} className={linkClass}>
      Sign Out
    </a>
  );
}

/** Whether a click opens the link in this tab. */
function isPlainClick({ button, metaKey, altKey, ctrlKey, shiftKey }: MouseEvent): boolean {
  return button === 0 && !(metaKey || altKey || ctrlKey || shiftKey);
}
