import { create } from 'zustand';
import type { Currency, License } from '@/api';
import { useConfig } from '@/modules/config/config-store';
import { useDebug } from '@/modules/session/navigation';
import { type Session, useSession } from '@/modules/session/session-store';
import { type Mode, modeOf, presetOf } from '@/rules/mode';
import type { Interval } from '@/rules/types';

/** The state and actions of the plans page. */
export interface PlansView {
  mode: Mode;
  /** The user's id; null for a visitor. */
  user: string | null;
  license: License | null;
  /**
   * The organisation has used or is using its only trial, so its next purchase is charged at once.
   */
  trialUsed: boolean;
  /** An order of the organisation waits for approval. */
  ordered: boolean;
  interval: Interval;
  /** The chosen currency's code; it may be one that is no longer sold. */
  currency: string;
  /** The currency in the catalogue; null for one that is no longer sold. */
  currencyInfo: Currency | null;
  /** The organisation is billed in this currency, and no other can be chosen. */
  locked: boolean;
}

/** Returns the state of the page: the visitor's selection, else the preset of session and catalogue. */
export function usePlans(): PlansView {
  const { currencies, defaults, live } = useConfig();
  const session = useSession();
  const debug = useDebug();
  const signedIn = session.status === 'signedIn' ? session : null;
  const user = signedIn?.user.id ?? null;
  const selected = selectionOf(usePlansStore(), user);
  const license = signedIn?.user.license ?? null;
  const input = {
    loading: session.status === 'loading',
    debug,
    live,
    license,
    pastLicense: signedIn?.user.pastLicense ?? null,
    customer: signedIn?.customer ?? null,
  };
  const sold = currencies.map(({ code }) => code);
  const preset = presetOf(input, sold, defaults);
  const currency = preset.locked ? preset.currency : (selected.currency ?? preset.currency);
  return {
    mode: modeOf(input),
    user,
    license,
    trialUsed: trialUsedBy(session),
    ordered: Boolean(signedIn?.user.order),
    interval: selected.interval ?? preset.interval,
    currency,
    currencyInfo: currencies.find(({ code }) => code === currency) ?? null,
    locked: preset.locked,
  };
}

/** See PlansView.trialUsed; false while the session is loading. */
export const useTrialUsed = (): boolean => trialUsedBy(useSession());

function trialUsedBy(session: Session): boolean {
  return session.status === 'signedIn' && (session.user.trialUsed ?? false);
}

interface Selection {
  /** The selection; null where the preset applies. */
  interval: Interval | null;
  currency: string | null;
}

interface PlansStore extends Selection {
  /** The id of the user who made the selection; null for a visitor. */
  userId: string | null;
  select: (userId: string | null, selection: Partial<Selection>) => void;
}

const noSelection: Selection = { interval: null, currency: null };

/** The interval and currency selected on the plans page, kept across navigation. */
export const usePlansStore = create<PlansStore>()((set) => ({
  ...noSelection,
  userId: null,
  select: (userId, selection) =>
    set((store) => ({ ...selectionOf(store, userId), ...selection, userId })),
}));

/** Returns the selection if it was made by this user. */
function selectionOf(store: PlansStore, userId: string | null): Selection {
  const { interval, currency } = store;
  return store.userId === userId ? { interval, currency } : noSelection;
}
