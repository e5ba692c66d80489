import { CardElement, Elements, useElements } from '@stripe/react-stripe-js';
import type {
  Stripe,
  StripeCardElementOptions,
  StripeElements,
  StripeError,
} from '@stripe/stripe-js';
import { loadStripe } from '@stripe/stripe-js/pure';
import { useEffect, useMemo, useState } from 'react';
import { watchMedia } from '@/lib/media-query';
import {
  type CardFieldProps,
  type CardProvider,
  type ConfirmResult,
  type IntentStatus,
  ProviderLoadError,
} from '@/modules/payments/card-provider/port';

const unreachableMessage = 'The payment provider could not be reached. Please try again.';
const blockedAdvice =
  'Check your connection, or switch off what blocks js.stripe.com in your browser.';
const notReadyMessage = 'The card field is not ready yet. Please try again.';

/** Loads Stripe's script. Rejects with a ProviderLoadError when it is blocked or can't be reached. */
export async function loadStripeProvider(publishableKey: string): Promise<CardProvider> {
  const stripe = await loadStripe(publishableKey).catch((cause) => {
    throw new ProviderLoadError(blockedAdvice, { cause });
  });
  if (!stripe) throw new Error('Stripe needs a browser.');
  return stripeProvider(stripe);
}

/** Returns the card provider with Stripe's card element, which sends the card to Stripe only. */
export function stripeProvider(stripe: Stripe): CardProvider {
  let elements: StripeElements | null = null;

  /** Stripe's card element. It stores the elements of the mounted field for `createPaymentMethod`. */
  function Field(props: CardFieldProps) {
    return (
      <Elements stripe={stripe}>
        <StripeField {...props} onElements={(fieldElements) => (elements = fieldElements)} />
      </Elements>
    );
  }

  return {
    Field,
    async createPaymentMethod() {
      const card = elements?.getElement('card');
      if (!card) return errorResult(notReadyMessage);
      const result = await catchErrors(() => stripe.createPaymentMethod({ type: 'card', card }));
      if (result.error) return errorResult(result.error.message);
      return { ok: true, paymentMethodId: result.paymentMethod.id };
    },
    async confirmPayment(clientSecret, paymentMethodId) {
      const data = confirmData(paymentMethodId);
      const result = await catchErrors(() => stripe.confirmCardPayment(clientSecret, data));
      return confirmResult(result.error, result.paymentIntent?.status);
    },
    async confirmSetup(clientSecret, paymentMethodId) {
      const data = confirmData(paymentMethodId);
      const result = await catchErrors(() => stripe.confirmCardSetup(clientSecret, data));
      return confirmResult(result.error, result.setupIntent?.status);
    },
  };
}

interface StripeFieldProps extends CardFieldProps {
  onElements: (elements: StripeElements | null) => void;
}

function StripeField({ className, disabled, onChange, onElements }: StripeFieldProps) {
  const elements = useElements();
  // biome-ignore lint/correctness/useExhaustiveDependencies: onElements only stores its argument
  useEffect(() => {
    onElements(elements);
    return () => onElements(null);
  }, [elements]);
  const style = useCardStyle();
  const options = useMemo(
    () => ({ style, disabled, hidePostalCode: true, disableLink: true }),
    [style, disabled],
  );
  return (
    <CardElement
      className={`has-[iframe]:p-4 [&.StripeElement--focus]:outline-2 [&.StripeElement--focus]:outline-focus ${className}`}
      options={options}
      onChange={({ error, brand }) => onChange({ message: error?.message, brand })}
    />
  );
}

function confirmData(paymentMethodId?: string) {
  return paymentMethodId ? { payment_method: paymentMethodId } : undefined;
}

/**
 * Returns the result of a call to Stripe.js, or an error result if the call throws, which Stripe.js normally avoids.
 */
async function catchErrors<T>(call: () => Promise<T>) {
  try {
    return await call();
  } catch {
    const error: Pick<StripeError, 'message'> = { message: unreachableMessage };
    return { error, paymentMethod: undefined, paymentIntent: undefined, setupIntent: undefined };
  }
}

function confirmResult(error?: Pick<StripeError, 'message'>, status?: IntentStatus): ConfirmResult {
  return status && !error ? { ok: true, status } : errorResult(error?.message);
}

function errorResult(message = unreachableMessage): { ok: false; message: string } {
  return { ok: false, message };
}

type Style = StripeCardElementOptions['style'];

/** Returns the current value of a colour of styles.css. */
function colorToken(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/** Returns the design tokens as Stripe's styles, because its frame can't read the page's style sheet. */
function cardStyle(): Style {
  return {
    base: {
      color: colorToken('--ink'),
      iconColor: colorToken('--muted'),
      fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, Arial, sans-serif',
      fontSize: '16px',
      lineHeight: '24px',
      '::placeholder': { color: colorToken('--muted') },
    },
    invalid: { color: colorToken('--danger'), iconColor: colorToken('--danger') },
  };
}

/** Returns the style of the card field, which changes when the page turns light or dark. */
export function useCardStyle(): Style {
  const [style, setStyle] = useState(cardStyle);
  useEffect(() => watchMedia('(prefers-color-scheme: dark)', () => setStyle(cardStyle())), []);
  return style;
}
