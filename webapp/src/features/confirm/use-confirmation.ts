import { useCallback, useEffect, useState } from 'react';
import {
  type Card,
  type Config,
  defaultCardOf,
  getCustomerWithCard,
  getUserDetail,
  type License,
  listSubscriptions,
  type OpenPayment,
} from '@/api';
import { withInstructions } from '@/lib/capabilities';
import { logFailure } from '@/lib/log';
import type { ConfirmState } from '@/lib/navigation-state';
import type { Offer, Price } from '@/lib/offer';
import { refreshIfSessionOver, type User, useSession } from '@/lib/session-store';

/** The change to confirm, known without a request. */
export interface ToConfirm {
  user: User;
  change: ConfirmState;
  config: Config;
  /** The price the plan changes to. */
  to: Offer & { price: Price };
}

/** The data that the confirmation needs. */
export interface Facts {
  /** The default card, which is charged. */
  card: Card | null;
  /** The present licence: a trial may have ended since the plans page was opened. */
  license: License | null;
  /** The open payment; null when there is none. */
  open: OpenPayment | null;
  /** Whether an invoice waits for a bank transfer. */
  transfer: boolean;
  /** Whether there was a subscription before, so that a new one has no trial. */
  noTrial: boolean;
}

/** The facts, or the state of the request for them. */
type Confirmation =
  | { status: 'loading' }
  | { status: 'failed' }
  | { status: 'ready'; facts: Facts };

interface About {
  /** Whether the organisation has a customer at the payment provider. */
  hasCustomer: boolean;
  /** Whether a new subscription begins. */
  begins: boolean;
}

/** Loads the facts; `reload` shows the loading state, `update` keeps the present ones until the response. */
export function useConfirmation({ hasCustomer, begins }: About) {
  const [confirmation, setConfirmation] = useState<Confirmation>({ status: 'loading' });

  const load = useCallback(
    async (failed?: (error: unknown) => void) => {
      try {
        const facts = await ask({ hasCustomer, begins });
        setConfirmation({ status: 'ready', facts });
      } catch (error) {
        logFailure('The confirmation could not be loaded', error);
        failed?.(error);
      }
    },
    [hasCustomer, begins],
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

async function ask({ hasCustomer, begins }: About): Promise<Facts> {
  const [user, customer, canceled] = await Promise.all([
    getUserDetail(),
    hasCustomer ? getCustomerWithCard() : null,
    begins ? listSubscriptions('canceled') : [],
  ]);
  return {
    card: defaultCardOf(customer),
    license: user?.license ?? null,
    open: user?.openPayment ?? null,
    transfer: withInstructions(user?.next) !== null,
    noTrial: canceled.length > 0,
  };
}
