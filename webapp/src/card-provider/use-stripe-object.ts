import type { Stripe } from '@stripe/stripe-js';
import { useCallback, useEffect, useState } from 'react';
import { loadStripeObject, type ProviderConfig } from './load-stripe-object';

/** How far the loading of the provider's script has come. */
export type Loading =
  | { state: 'loading' }
  | { state: 'ready'; stripe: Stripe }
  | { state: 'failed'; retry: () => void };

/** Loads the provider's script as soon as a component wants it, and again when it asks to. */
export function useStripeObject({ kind, publishableKey }: ProviderConfig): Loading {
  const [loading, setLoading] = useState<Loading>({ state: 'loading' });
  const load = useCallback(async () => {
    setLoading({ state: 'loading' });
    try {
      const stripe = await loadStripeObject({ kind, publishableKey });
      setLoading({ state: 'ready', stripe });
    } catch {
      setLoading({ state: 'failed', retry: load });
    }
  }, [kind, publishableKey]);
  useEffect(() => {
    load();
  }, [load]);
  return loading;
}
