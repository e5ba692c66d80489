import { create } from 'zustand';
import type { Interval } from '@/rules/types';

interface PlansStore {
  /** What the visitor has picked; null where the preset still holds. */
  interval: Interval | null;
  currency: string | null;
  pickInterval: (interval: Interval) => void;
  pickCurrency: (currency: string) => void;
}

/** What was picked on the plans page, kept while the visitor looks at other screens. */
export const usePlansStore = create<PlansStore>()((set) => ({
  interval: null,
  currency: null,
  pickInterval: (interval) => set({ interval }),
  pickCurrency: (currency) => set({ currency }),
}));
