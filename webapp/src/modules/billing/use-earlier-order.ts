import { useState } from 'react';
import type { Order } from '@/api';
import type { User } from '@/modules/session/session-store';

/**
 * Returns the order that waited for approval when the screen was opened, until it is withdrawn; null without one. Ignores an
 * order that is placed on the screen, because its result reports it.
 */
export function useEarlierOrder({ order }: Pick<User, 'order'>): Order | null {
  const [earlierOrder, setEarlierOrder] = useState(order ?? null);
  if (earlierOrder && !order) setEarlierOrder(null);
  return order ? earlierOrder : null;
}
