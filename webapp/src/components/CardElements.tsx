import { createContext, type ReactNode, useCallback, useContext, useEffect, useState } from 'react';
import { loadCardProvider, type ProviderConfig } from '@/lib/card-provider/load';
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
  const loading = useLoading(provider);
  switch (loading.state) {
    case 'loading':
      return (
        <div role="status">
          <span className="sr-only">Loading...</span>
          {placeholder}
        </div>
      );
    case 'ready':
      return <Provided value={loading.cards}>{children}</Provided>;
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

const Provided = createContext<CardProvider | null>(null);

/** Returns the payment provider within `CardElements`; null elsewhere. */
export const useCardProvider = (): CardProvider | null => useContext(Provided);

/** The state of loading the provider. */
type Loading =
  | { state: 'loading' }
  | { state: 'ready'; cards: CardProvider }
  | { state: 'failed'; retry: () => void };

/** Loads the provider on mount; `retry` loads it again after a failure. */
function useLoading({ kind, publishableKey, entry }: ProviderConfig): Loading {
  const [loading, setLoading] = useState<Loading>({ state: 'loading' });
  const load = useCallback(async () => {
    setLoading({ state: 'loading' });
    try {
      setLoading({
        state: 'ready',
        cards: await loadCardProvider({ kind, publishableKey, entry }),
      });
    } catch {
      setLoading({ state: 'failed', retry: load });
    }
  }, [kind, publishableKey, entry]);
  useEffect(() => {
    load();
  }, [load]);
  return loading;
}
