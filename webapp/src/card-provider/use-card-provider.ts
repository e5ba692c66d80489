import { useElements, useStripe } from '@stripe/react-stripe-js';
import { useMemo } from 'react';
import { elementsCardProvider } from './elements-card-provider';
import type { CardProvider } from './port';

/** The payment provider, for components within `CardElements`; null until it can be asked. */
export function useCardProvider(): CardProvider | null {
  const stripe = useStripe();
  const elements = useElements();
  return useMemo(
    () => (stripe && elements ? elementsCardProvider(stripe, elements) : null),
    [stripe, elements],
  );
}
