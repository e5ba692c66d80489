import { useCallback, useEffect, useState } from 'react';
import { type BillingDetails, getBillingDetails } from '@/api';
import { logFailure } from '@/lib/log';
import { refreshIfSessionOver, useSession } from '@/lib/session-store';

/** The billing details, or the state of the request for them. */
export type Details =
  | { status: 'loading' }
  | { status: 'failed' }
  | { status: 'ready'; details: BillingDetails };

/** Loads the billing details once, so that the form keeps the typed text. */
export function useDetails() {
  const [state, setState] = useState<Details>({ status: 'loading' });
  const load = useCallback(async () => {
    setState({ status: 'loading' });
    try {
      setState({ status: 'ready', details: await getBillingDetails() });
    } catch (error) {
      logFailure('The billing details could not be loaded', error);
      setState({ status: 'failed' });
      void refreshIfSessionOver(error);
    }
  }, []);
  const missing = useSession().status === 'signedIn' && state.status !== 'ready';
  useEffect(() => {
    if (missing) void load();
    // Only another sign-in reloads.
  }, [load, missing]);
  return { state, load };
}
