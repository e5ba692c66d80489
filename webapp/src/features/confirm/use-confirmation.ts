import { useCallback, useEffect, useState } from 'react';
import {
  type Card,
  defaultCardOf,
  getCustomerWithCard,
  getUserDetail,
  type License,
  listSubscriptions,
  type OpenPayment,
} from '@/api';
import { logFailure } from '@/lib/log';
import type { PricedOffer } from '@/modules/billing/offer';
import { withInstructions } from '@/modules/config/capabilities';
import { withCurrency } from '@/modules/session/license-currency';
import type { ConfirmState } from '@/modules/session/navigation-state';
import { refreshIfSessionOver, type User, useSession } from '@/modules/session/session-store';

/** The change to confirm, from the navigation state. */
export interface ChangeToConfirm {
  user: User;
  change: ConfirmState;
  /** The price the plan changes to. */
  to: PricedOffer;
}

/** The loaded data of the confirmation. */
export interface ConfirmationData {
  /** The default card, which is charged. */
  card: Card | null;
  /** The current license: a trial may have ended since the plans page was opened. */
  license: License | null;
  /** The open payment; null when there is none. */
  open: OpenPayment | null;
  /** Whether a payment was disputed, so that nothing can be changed. */
  onHold: boolean;
  /** Whether an invoice waits for a bank transfer. */
  transfer: boolean;
  /** Whether there was a subscription before, so that a new one has no trial. */
  noTrial: boolean;
}

/** The data, or the state of the request for it. */
type Confirmation =
  | { status: 'loading' }
  | { status: 'failed' }
  | { status: 'ready'; data: ConfirmationData };

interface LoadOptions {
  /** Whether the organisation has a customer at the payment provider. */
  hasCustomer: boolean;
  /** Whether a new subscription is started. */
  isNew: boolean;
}

/**
 * Loads the data. `reload` shows the loading state; `update` keeps the current data until the response and
 * when it fails.
 */
export function useConfirmation({ hasCustomer, isNew }: LoadOptions) {
  const [confirmation, setConfirmation] = useState<Confirmation>({ status: 'loading' });

  const load = useCallback(
    async (failed?: (error: unknown) => void) => {
      try {
        const data = await loadData({ hasCustomer, isNew });
        setConfirmation({ status: 'ready', data });
      } catch (error) {
        logFailure('The confirmation could not be loaded', error);
        failed?.(error);
      }
    },
    [hasCustomer, isNew],
  );
  const reload = useCallback(async () => {
    setConfirmation({ status: 'loading' });
    await load((error) => {
      setConfirmation({ status: 'failed' });
      void refreshIfSessionOver(error);
    });
  }, [load]);
  const update = useCallback(() => load(), [load]);

  const signedIn = useSession().status === 'signedIn';
  useEffect(() => {
    if (signedIn) void reload();
  }, [reload, signedIn]);
  return { confirmation, reload, update };
}

async function loadData({ hasCustomer, isNew }: LoadOptions): Promise<ConfirmationData> {
  const [user, customer, canceled] = await Promise.all([
    getUserDetail(),
    hasCustomer ? getCustomerWithCard() : null,
    isNew ? listSubscriptions('canceled') : [],
  ]);
  return {
    card: defaultCardOf(customer),
    license: user && withCurrency(user, customer).license,
    open: user?.openPayment ?? null,
    onHold: user?.hold != null,
    transfer: withInstructions(user?.next) !== null,
    noTrial: canceled.length > 0,
  };
}
