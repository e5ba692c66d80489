import { useState } from 'react';
import type { Order } from '@/api';
import type { User } from '@/modules/session/session-store';

/**
 * Returns the order that waited for approval when the screen was opened, until it is withdrawn; null for none. An order
 * that is made on the screen is not returned, because the result of its payment reports it.
 */
export function useEarlierOrder({ order }: Pick<User, 'order'>): Order | null {
  const [earlier, setEarlier] = useState(order ?? null);
  if (earlier && !order) setEarlier(null);
  return order ? earlier : null;
}
