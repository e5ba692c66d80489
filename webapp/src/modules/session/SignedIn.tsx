import { QueryClientProvider } from '@tanstack/react-query';
import { type ComponentType, type ReactNode, useState } from 'react';
import type { Elements } from '@/lib/elements';
import { routes } from '@/lib/paths';
import { Redirect } from './AppLink';
import { InlineSignIn } from './InlineSignIn';
import { queryClient } from './query-client';
import { type SignedInSession, useSession } from './session-store';
import { WithConfig } from './WithConfig';

interface SignedInProps {
  /** Shown while the identity is loading; nothing by default. */
  loading?: Elements;
  /** Whether a visitor is redirected to the plans, or sees a sign-in form in place of the screen. */
  visitor?: 'plans' | 'signIn';
  children: (session: SignedInSession) => ReactNode;
}

/**
 * Renders its children for a signed-in user. The children can use queries. When the session ends, a sign-in form hides them.
 * After the same user has signed in, they are shown again with their input.
 */
export function SignedIn({ loading, visitor = 'plans', children }: SignedInProps) {
  const session = useSession();
  // The key changes with the user and the organisation, so that the children are mounted again for another one.
  const [view, setView] = useState<{ session: SignedInSession; key: number } | null>(null);
  if (session.status === 'signedIn' && session !== view?.session) {
    const isSame = !view || isSameAccount(view.session, session);
    setView({ session, key: (view?.key ?? 0) + (isSame ? 0 : 1) });
  }

  const isSignedOut = session.status === 'signedOut';
  const lastSession = session.status === 'signedIn' ? session : view?.session;
  if (isSignedOut && !(lastSession && session.ended)) {
    return visitor === 'plans' ? (
      <Redirect to={routes.plans} />
    ) : (
      <InlineSignIn title="Sign in" text="This page is for customers. Sign in to see it." />
    );
  }
  if (!lastSession && !loading) return null;
  return (
    <QueryClientProvider client={queryClient}>
      {isSignedOut && lastSession && (
        <InlineSignIn
          title="Your session has ended"
          text="Sign in again to go on where you were. What you entered is kept."
          email={lastSession.user.email}
        />
      )}
      <div key={view?.key ?? 0} hidden={isSignedOut}>
        {lastSession ? children(lastSession) : loading}
      </div>
    </QueryClientProvider>
  );
}

const isSameAccount = (a: SignedInSession, b: SignedInSession): boolean =>
  a.user.id === b.user.id && a.user.orgId === b.user.orgId;

interface SignedInScreenProps extends SignedInProps {
  /** The layout around the message that the configuration could not be loaded. */
  frame?: ComponentType<{ children: Elements }>;
}

/** Renders its children as SignedIn does, once the configuration is loaded, so that they can call `useConfig`. */
export const SignedInScreen = ({ frame, children, ...signedIn }: SignedInScreenProps) => (
  <SignedIn {...signedIn}>
    {(session) => (
      <WithConfig fallback={signedIn.loading} frame={frame}>
        {children(session)}
      </WithConfig>
    )}
  </SignedIn>
);
