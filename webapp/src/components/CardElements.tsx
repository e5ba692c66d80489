import { Elements, useElements, useStripe } from '@stripe/react-stripe-js';
import type { Stripe } from '@stripe/stripe-js';
import { type ReactNode, useCallback, useEffect, useMemo, useState } from 'react';
import { elementsCardProvider } from '@/lib/card-provider/elements-card-provider';
import { loadStripeObject, type ProviderConfig } from '@/lib/card-provider/load-stripe-object';
import type { CardProvider } from '@/lib/card-provider/port';
import { Button } from './Button';
import { Notice } from './Notice';

interface CardElementsProps {
  /** As config.json has it. */
  provider: ProviderConfig;
  /** Holds the place of the children while the provider's script is on its way. */
  placeholder: ReactNode;
  children: ReactNode;
}

/**
 * Brings the payment provider to its children: `CardField` and `useCardProvider` work within. Says
 * so when the provider can't be reached, and tries again when asked to.
 */
export function CardElements({ provider, placeholder, children }: CardElementsProps) {
  const loading = useStripeObject(provider);
  switch (loading.state) {
    case 'loading':
      return (
        <div role="status">
          <span className="sr-only">Loading...</span>
          {placeholder}
        </div>
      );
    case 'ready':
      return <Elements stripe={loading.stripe}>{children}</Elements>;
    case 'failed':
      return (
        <Notice tone="danger" title="The card field could not be loaded">
          <p>
            Our payment provider can't be reached from here. Nothing was charged. Check your
            connection, or switch off what blocks js.stripe.com in your browser.
          </p>
          <Button look="secondary" className="mt-3" onClick={loading.retry}>
            Try again
          </Button>
        </Notice>
      );
  }
}

/** Returns the payment provider within `CardElements`; null until its script has loaded. */
export function useCardProvider(): CardProvider | null {
  const stripe = useStripe();
  const elements = useElements();
  return useMemo(
    () => (stripe && elements ? elementsCardProvider(stripe, elements) : null),
    [stripe, elements],
  );
}

/** How far the loading of the provider's script has come. */
type Loading =
  | { state: 'loading' }
  | { state: 'ready'; stripe: Stripe }
  | { state: 'failed'; retry: () => void };

/** Loads the provider's script on mount; `retry` loads it again after a failure. */
function useStripeObject({ kind, publishableKey }: ProviderConfig): Loading {
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
