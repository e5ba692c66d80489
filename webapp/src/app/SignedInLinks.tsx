import type { MouseEvent } from 'react';
import { useNavigate } from 'react-router-dom';
import { paths } from '@/lib/paths';
import { type User, useSessionStore } from '@/lib/session-store';
import { useLinkDebugParam } from '@/lib/use-debug-param';
import { AccountMenu } from './AccountMenu';
import { Item, linkClass, RouteLink } from './RouteLink';

/** The links of the header for a signed-in user. */
export function SignedInLinks({ user }: { user: User }) {
  const debugParam = useLinkDebugParam();
  const signOut = useSignOut();
  return (
    <>
      <Item>
        <RouteLink to={paths.dash(debugParam)}>Dashboard</RouteLink>
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
  const navigate = useNavigate();
  const debugParam = useLinkDebugParam();
  const { signOut } = useSessionStore.getState();
  return () =>
    void signOut().then((ended) => {
      if (ended) navigate(paths.dash(debugParam));
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
