import { create } from 'zustand';
import type { Currency, License, UserDetail } from '@/api';
import { useConfig, useLoadedConfig } from '@/modules/config/config-store';
import { useDebug } from '@/modules/session/navigation';
import { canManageBilling } from '@/modules/session/roles';
import { type Session, useSession } from '@/modules/session/session-store';
import { initialSelection, type PlansPageMode, plansPageMode } from '@/rules/plans-page';
import type { Interval } from '@/rules/types';

/** The state of the plans page. */
export interface PlansView {
  mode: PlansPageMode;
  /** The id of the user; null for a visitor. */
  userId: string | null;
  license: License | null;
  /** Whether the organisation has used or is using its trial; its next purchase is then charged immediately. */
  trialUsed: boolean;
  /** Whether every plan has a trial, and the organisation can still start one. */
  offersTrial: boolean;
  /** Whether an order of the organisation waits for approval. */
  hasOrder: boolean;
  /** The reasons why prices can't be chosen now, by price id; undefined if there are none. */
  obstacles: UserDetail['planObstacles'];
  interval: Interval;
  /** The code of the displayed currency, which the catalogue may no longer have. */
  currency: string;
  /** The displayed currency in the catalogue; null if the catalogue no longer has it. */
  currencyInfo: Currency | null;
  /** Whether no other currency can be chosen, because the organisation is billed in this one. */
  isCurrencyLocked: boolean;
}

/**
 * Returns the state of the page, with the interval and currency that the user has selected, or the initial ones. A locked
 * currency takes precedence.
 */
export function usePlansView(): PlansView {
  const { currencies, defaults, live } = useConfig();
  const session = useSession();
  const debug = useDebug();
  const signedInSession = session.status === 'signedIn' ? session : null;
  const userId = signedInSession?.user.id ?? null;
  const selection = selectionOf(usePlanSelectionStore(), userId);
  const license = signedInSession?.user.license ?? null;
  const input = {
    loading: session.status === 'loading',
    debug,
    live,
    license,
    pastLicense: signedInSession?.user.pastLicense ?? null,
    customer: signedInSession?.customer ?? null,
  };
  const soldCurrencies = currencies.map(({ code }) => code);
  const initial = initialSelection(input, soldCurrencies, defaults);
  const currency = initial.locked ? initial.currency : (selection.currency ?? initial.currency);
  return {
    mode:
      signedInSession && !canManageBilling(signedInSession.user)
        ? 'disabled'
        : plansPageMode(input),
    userId,
    license,
    trialUsed: hasUsedTrial(session),
    offersTrial: useOffersTrial(),
    hasOrder: Boolean(signedInSession?.user.order),
    obstacles: signedInSession?.user.planObstacles,
    interval: selection.interval ?? initial.interval,
    currency,
    currencyInfo: currencies.find(({ code }) => code === currency) ?? null,
    isCurrencyLocked: initial.locked,
  };
}

/**
 * Returns whether every plan has a trial, and the organisation can still start one. While the configuration and the session
 * are loading, it returns true.
 */
export function useOffersTrial(): boolean {
  const hasUsed = hasUsedTrial(useSession());
  const plans = useLoadedConfig()?.catalogue.plans;
  return !hasUsed && (!plans || plans.every(({ trialPeriodDays }) => trialPeriodDays > 0));
}

/** Returns whether the organisation has used or is using its trial; false while the session is loading. */
function hasUsedTrial(session: Session): boolean {
  return session.status === 'signedIn' && (session.user.trialUsed ?? false);
}

/** The values selected on the plans page; null for a value that was not selected. */
interface Selection {
  interval: Interval | null;
  currency: string | null;
}

interface PlanSelectionStore extends Selection {
  /** The id of the user who made the selection; null for a visitor. */
  userId: string | null;
  select: (userId: string | null, selection: Partial<Selection>) => void;
}

const noSelection: Selection = { interval: null, currency: null };

/** The interval and currency selected on the plans page, kept across navigation. */
export const usePlanSelectionStore = create<PlanSelectionStore>()((set) => ({
  ...noSelection,
  userId: null,
  select: (userId, selection) =>
    set((store) => ({ ...selectionOf(store, userId), ...selection, userId })),
}));

/** Returns the selection if this user made it, or an empty one. */
function selectionOf(store: PlanSelectionStore, userId: string | null): Selection {
  const { interval, currency } = store;
  return store.userId === userId ? { interval, currency } : noSelection;
}
