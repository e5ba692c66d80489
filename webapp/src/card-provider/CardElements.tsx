import { Elements } from '@stripe/react-stripe-js';
import type { ReactNode } from 'react';
import { Button } from '@/ui/Button';
import { Notice } from '@/ui/Notice';
import type { ProviderConfig } from './load-stripe-object';
import { useStripeObject } from './use-stripe-object';

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
