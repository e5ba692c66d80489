import { useCallback, useEffect, useState } from 'react';
import { type Card, defaultCardOf, getCustomerWithCard, listSubscriptions } from '@/api';
import { logFailure } from '@/app/log';

/** What has to be known before anything can be confirmed, or how far the asking has come. */
export type Confirmation =
  | { status: 'loading' }
  | { status: 'failed' }
  | {
      status: 'ready';
      /** The default card, which is the one that pays. */
      card: Card | null;
      /** Whether a subscription was canceled before, so that a new one has no trial. */
      noTrial: boolean;
    };

interface About {
  /** Whether the organisation is known at the payment provider. */
  hasCustomer: boolean;
  /** Whether a subscription begins, rather than one that runs being changed. */
  begins: boolean;
}

/** Loads it. */
export function useConfirmation({ hasCustomer, begins }: About) {
  const [confirmation, setConfirmation] = useState<Confirmation>({ status: 'loading' });
  const load = useCallback(async () => {
    setConfirmation({ status: 'loading' });
    try {
      const [customer, canceled] = await Promise.all([
        hasCustomer ? getCustomerWithCard() : null,
        begins ? listSubscriptions('canceled') : [],
      ]);
      const card = defaultCardOf(customer);
      setConfirmation({ status: 'ready', card, noTrial: canceled.length > 0 });
    } catch (error) {
      logFailure('The confirmation could not be loaded', error);
      setConfirmation({ status: 'failed' });
    }
  }, [hasCustomer, begins]);
  useEffect(() => {
    void load();
  }, [load]);
  return { confirmation, load };
}
