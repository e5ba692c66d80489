import { createContext, type ReactNode, useCallback, useContext, useEffect, useState } from 'react';
import { Button } from '@/components/Button';
import { EmailLink } from '@/components/EmailLink';
import { Notice } from '@/components/Notice';
import type { Elements } from '@/lib/elements';
import { messageOf } from '@/lib/failure-message';
import { useConfig, useLoadedConfig } from '@/modules/config/config-store';
import { loadCardProvider, type ProviderConfig } from './card-provider/load';
import { type CardProvider, ProviderNotSetUpError } from './card-provider/port';

interface WithCardProviderProps {
  /** The provider in config.json. */
  provider: ProviderConfig;
  /** Shown while the provider's script loads. */
  placeholder: Elements;
  children: ReactNode;
}

/**
 * Loads the payment provider and then renders its children, which may use `CardField` and `useCardProvider`. Shows an error
 * with a Try again button if the provider can't be reached or its field does not become ready. Shows the contact email if
 * the provider is not set up.
 */
export function WithCardProvider({ provider, placeholder, children }: WithCardProviderProps) {
  const loadState = useLoadProvider(provider);
  switch (loadState.status) {
    case 'loading':
      return (
        <div role="status">
          <span className="sr-only">Loading...</span>
          {placeholder}
        </div>
      );
    case 'ready':
      return (
        <ReportLoadErrorContext value={loadState.fail}>
          <CardProviderContext value={loadState.cardProvider}>{children}</CardProviderContext>
        </ReportLoadErrorContext>
      );
    case 'notSetUp':
      return <NotSetUp />;
    case 'failed':
      return (
        <Notice tone="danger" title="The card field could not be loaded">
          <p>{loadState.message}</p>
          <Contact />
          <Button variant="secondary" className="mt-3" onClick={loadState.retry}>
            Try again
          </Button>
        </Notice>
      );
  }
}

/** Names the address to write to if the provider stays unreachable. */
function Contact() {
  const email = useLoadedConfig()?.contact.email;
  if (!email) return null;
  return (
    <p className="mt-2">
      If it still fails after a second attempt, write to <EmailLink to={email} />.
    </p>
  );
}

function NotSetUp() {
  const { email } = useConfig().contact;
  return (
    <Notice tone="attention" title="Payments are not set up">
      <p>
        You can’t pay here yet. Please write to <EmailLink to={email} />.
      </p>
    </Notice>
  );
}

const CardProviderContext = createContext<CardProvider | null>(null);

/** Returns the payment provider within `WithCardProvider`; null elsewhere. */
export const useCardProvider = (): CardProvider | null => useContext(CardProviderContext);

const ReportLoadErrorContext = createContext<(error: Error) => void>(() => {});

/** Returns a function that replaces the children of `WithCardProvider` with an error and a Try again button. */
export const useReportLoadError = () => useContext(ReportLoadErrorContext);

/** The state of loading the provider. */
type LoadState =
  | { status: 'loading' | 'notSetUp' }
  | { status: 'ready'; cardProvider: CardProvider; fail: (error: Error) => void }
  | { status: 'failed'; message: string; retry: () => void };

/** Loads the provider on mount. `retry` loads it again after a failure. */
function useLoadProvider({ kind, publishableKey, entry }: ProviderConfig): LoadState {
  const [loadState, setLoadState] = useState<LoadState>({ status: 'loading' });
  const load = useCallback(async () => {
    const fail = (error: unknown) =>
      setLoadState({ status: 'failed', message: messageOf(error), retry: load });
    setLoadState({ status: 'loading' });
    try {
      const cardProvider = await loadCardProvider({ kind, publishableKey, entry });
      setLoadState({ status: 'ready', cardProvider, fail });
    } catch (error) {
      if (error instanceof ProviderNotSetUpError) return setLoadState({ status: 'notSetUp' });
      fail(error);
    }
  }, [kind, publishableKey, entry]);
  useEffect(() => {
    load();
  }, [load]);
  return loadState;
}
