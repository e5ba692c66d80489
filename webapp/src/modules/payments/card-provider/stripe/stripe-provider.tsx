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
import { withTimeLimit } from '@/lib/time-limit';
import {
  type CardFieldProps,
  type CardProvider,
  type ConfirmResult,
  type IntentStatus,
  ProviderLoadError,
} from '@/modules/payments/card-provider/port';

const unreachableMessage = 'The payment provider could not be reached. Please try again.';
const noAnswerMessage = 'The payment provider has not answered.';
const blockedAdvice =
  'Check your connection, or switch off what blocks js.stripe.com in your browser.';
const notReadyMessage = 'The card field is not ready yet. Please try again.';

/** How long the page waits for Stripe's script, in milliseconds. */
const scriptTimeLimit = 20_000;
/** How long the page waits for the frame of Stripe's field, in milliseconds. */
const fieldTimeLimit = 30_000;
/** How long the page waits for a payment method, in milliseconds. */
const methodTimeLimit = 60_000;
/** How long the page waits for a confirmation, in milliseconds. Banks give a cardholder five minutes to approve it. */
const confirmationTimeLimit = 6 * 60_000;

/** Loads Stripe's script. Rejects with a ProviderLoadError when it is blocked, can't be reached or does not answer. */
export async function loadStripeProvider(publishableKey: string): Promise<CardProvider> {
  await abandonScript();
  const stripe = await withTimeLimit(loadStripe(publishableKey), scriptTimeLimit).catch((cause) => {
    throw new ProviderLoadError(blockedAdvice, { cause });
  });
  if (!stripe) throw new Error('Stripe needs a browser.');
  return stripeProvider(stripe);
}

/**
 * Reports the script of an earlier attempt as failed unless it is loaded. `loadStripe` then requests the script again
 * instead of waiting for the earlier attempt.
 */
async function abandonScript(): Promise<void> {
  const script = document.querySelector('script[src^="https://js.stripe.com/"]');
  if (!script || 'Stripe' in window) return;
  script.dispatchEvent(new Event('error'));
  await new Promise((resolve) => setTimeout(resolve)); // loadStripe handles the event first
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
      const result = await catchErrors(() =>
        withTimeLimit(stripe.createPaymentMethod({ type: 'card', card }), methodTimeLimit),
      );
      if (result.error) return errorResult(result.error.message);
      return { ok: true, paymentMethodId: result.paymentMethod.id };
    },
    async confirmPayment(clientSecret, paymentMethodId) {
      const data = confirmData(paymentMethodId);
      const result = await confirmation(() => stripe.confirmCardPayment(clientSecret, data));
      return confirmResult(result.error, result.paymentIntent?.status);
    },
    async confirmSetup(clientSecret, paymentMethodId) {
      const data = confirmData(paymentMethodId);
      const result = await confirmation(() => stripe.confirmCardSetup(clientSecret, data));
      return confirmResult(result.error, result.setupIntent?.status);
    },
  };
}

interface StripeFieldProps extends CardFieldProps {
  onElements: (elements: StripeElements | null) => void;
}

function StripeField(props: StripeFieldProps) {
  const { className, disabled, onChange, onLoadError, onElements } = props;
  const elements = useElements();
  const [isReady, setReady] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new onLoadError must not extend the time limit
  useEffect(() => {
    if (isReady) return;
    const fail = () => onLoadError?.(new ProviderLoadError(blockedAdvice));
    const timer = setTimeout(fail, fieldTimeLimit);
    return () => clearTimeout(timer);
  }, [isReady]);
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
      onReady={() => setReady(true)}
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
    return { error, paymentMethod: undefined };
  }
}

/** Returns the result of a confirmation. Rejects if its outcome is unknown, because the connection or the script failed. */
async function confirmation<T extends { error?: StripeError }>(call: () => Promise<T>): Promise<T> {
  try {
    const result = await withTimeLimit(call(), confirmationTimeLimit);
    if (result.error?.type !== 'api_connection_error') return result;
  } catch {
    // The outcome is unknown too if the script fails or does not answer.
  }
  throw new Error(noAnswerMessage);
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
