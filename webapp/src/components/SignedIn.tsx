import { type ReactNode, useState } from 'react';
import { Navigate } from 'react-router-dom';
import { paths } from '@/lib/paths';
import { type Session, useSession } from '@/lib/session-store';
import { useGate } from '@/lib/use-gate';
import { SessionEnded } from './SessionEnded';

type SignedInSession = Extract<Session, { status: 'signedIn' }>;

interface SignedInProps {
  /** Shown while the identity is loading. */
  loading: ReactNode;
  children: (session: SignedInSession) => ReactNode;
}

/**
 * Shows its children to a signed-in user and sends a visitor to the plans. When the session ends
 * while they are shown, they are hidden behind a sign-in form and come back with everything that
 * was entered, unless another user signs in.
 */
export function SignedIn({ loading, children }: SignedInProps) {
  const gate = useGate();
  const session = useSession();
  const [shown, setShown] = useState<{ session: SignedInSession; users: number } | null>(null);
  if (session.status === 'signedIn' && session !== shown?.session) {
    const same = !shown || shown.session.user.id === session.user.id;
    setShown({ session, users: (shown?.users ?? 0) + (same ? 0 : 1) });
  }

  const over = session.status === 'signedOut';
  const current = session.status === 'signedIn' ? session : shown?.session;
  if (over && !(current && session.ended)) return <Navigate to={paths.plans(gate)} replace />;
  if (!current && !loading) return null;
  return (
    <>
      {over && current && <SessionEnded email={current.user.email} />}
      <div key={shown?.users ?? 0} hidden={over}>
        {current ? children(current) : loading}
      </div>
    </>
  );
}
