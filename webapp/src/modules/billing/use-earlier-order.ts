import { useState } from 'react';
import type { Order } from '@/api';
import type { User } from '@/modules/session/session-store';

/**
 * Returns the order that waited for approval when the screen was opened, until it is withdrawn; null for none. The
 * result of a payment reports an order that is made on the screen.
 */
export function useEarlierOrder({ order }: Pick<User, 'order'>): Order | null {
  const [earlier, setEarlier] = useState(order ?? null);
  if (earlier && !order) setEarlier(null);
  return order ? earlier : null;
}
