import { create } from 'zustand';
import type { Interval } from '@/rules/types';

interface Picks {
  /** What was picked; null where the preset still holds. */
  interval: Interval | null;
  currency: string | null;
}

interface PlansStore extends Picks {
  /** Who has picked: a user's id, or null for a visitor. */
  by: string | null;
  pick: (by: string | null, picked: Partial<Picks>) => void;
}

const none: Picks = { interval: null, currency: null };

/** What was picked on the plans page, kept while one looks at other screens. */
export const usePlansStore = create<PlansStore>()((set) => ({
  ...none,
  by: null,
  pick: (by, picked) => set((before) => ({ ...picksOf(before, by), ...picked, by })),
}));

/** The picks of just this person: whoever signs in has a license and a currency of their own. */
export function picksOf({ by: whose, interval, currency }: PlansStore, by: string | null): Picks {
  return whose === by ? { interval, currency } : none;
}
