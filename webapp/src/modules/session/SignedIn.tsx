import { QueryClientProvider } from '@tanstack/react-query';
import { type ComponentType, type ReactNode, useState } from 'react';
import { routes } from '@/lib/paths';
import { WithConfig } from '@/modules/config/WithConfig';
import { Redirect } from './AppLink';
import { InlineSignIn } from './InlineSignIn';
import { queryClient } from './query-client';
import { type SignedInSession, useSession } from './session-store';

interface SignedInProps {
  /** Shown while the identity is loading; nothing by default. */
  loading?: ReactNode;
  /** What a visitor sees: a redirect to the plans, or a sign-in form in place of the screen. */
  visitor?: 'plans' | 'signIn';
  children: (session: SignedInSession) => ReactNode;
}

/**
 * Shows its children to a signed-in user; a visitor sees the plans or a sign-in form. The children can use queries. When
 * the session ends, they are hidden behind a sign-in form and shown again, with everything that was entered, after the
 * same user has signed in.
 */
export function SignedIn({ loading, visitor = 'plans', children }: SignedInProps) {
  const session = useSession();
  // The key changes with the user, so that the children start afresh for another one.
  const [shown, setShown] = useState<{ session: SignedInSession; key: number } | null>(null);
  if (session.status === 'signedIn' && session !== shown?.session) {
    const isSameUser = !shown || shown.session.user.id === session.user.id;
    setShown({ session, key: (shown?.key ?? 0) + (isSameUser ? 0 : 1) });
  }

  const signedOut = session.status === 'signedOut';
  const current = session.status === 'signedIn' ? session : shown?.session;
  if (signedOut && !(current && session.ended)) {
    return visitor === 'plans' ? (
      <Redirect to={routes.plans} />
    ) : (
      <InlineSignIn title="Sign in" text="This page is for customers. Sign in to see it." />
    );
  }
  if (!current && !loading) return null;
  return (
    <QueryClientProvider client={queryClient}>
      {signedOut && current && (
        <InlineSignIn
          title="Your session has ended"
          text="Sign in again to go on where you were. What you entered is kept."
          email={current.user.email}
        />
      )}
      <div key={shown?.key ?? 0} hidden={signedOut}>
        {current ? children(current) : loading}
      </div>
    </QueryClientProvider>
  );
}

interface SignedInScreenProps extends SignedInProps {
  /** The layout around the message that the configuration could not be loaded. */
  frame?: ComponentType<{ children: ReactNode }>;
}

/** Shows its children to a signed-in user as SignedIn does, once the configuration is loaded, too. */
export const SignedInScreen = ({ frame, children, ...signedIn }: SignedInScreenProps) => (
  <SignedIn {...signedIn}>
    {(session) => (
      <WithConfig fallback={signedIn.loading} frame={frame}>
        {children(session)}
      </WithConfig>
    )}
  </SignedIn>
);
