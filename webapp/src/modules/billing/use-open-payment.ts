import type { OpenPayment } from '@/api';
import { useSession } from '@/modules/session/session-store';

/** Returns the open payment of the signed-in user, or null without one. */
export function useOpenPayment(): OpenPayment | null {
  const session = useSession();
  return (session.status === 'signedIn' && session.user.openPayment) || null;
}
