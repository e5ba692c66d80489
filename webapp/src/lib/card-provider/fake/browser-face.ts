import type { IntentStatus } from '@/lib/card-provider/port';
import type { CardData } from './card-state';

const base = '/dev/payments';
const timeout = 30_000;

/** An error in the shape of Stripe.js. */
export interface FaceError {
  type: string;
  code?: string;
  message: string;
}

export interface PaymentMethod {
  id: string;
  card: { brand: string; last4: string; exp_month: number; exp_year: number };
}

/** A payment, or the authentication of a card. */
export interface Intent {
  id: string;
  status: IntentStatus;
  card?: { brand: string; last4: string };
  last_payment_error?: FaceError;
  last_setup_error?: FaceError;
}

export type Answer<T> = { value: T } | { error: FaceError };

/** What an intent is confirmed with: how its authentication ended, or a card to try it with. */
export type Confirmation = { outcome: 'complete' | 'fail' } | { payment_method?: string };

const unreachable: FaceError = {
  type: 'api_connection_error',
  message: 'We are experiencing issues connecting to our payments provider. Please try again.',
};

/** The fake provider's side that a browser talks to; adapters/fakepayment/doc.go describes it. */
export const browserFace = {
  createPaymentMethod: (card: CardData) => call<PaymentMethod>('/payment_methods', { card }),
  intent: (secret: string) => call<Intent>(`/intents/${encodeURIComponent(secret)}`),
  confirm: (secret: string, confirmation: Confirmation) =>
    call<Intent>(`/intents/${encodeURIComponent(secret)}/confirm`, confirmation),
};

/** A GET, or a POST when there is something to send. */
async function call<T>(path: string, body?: unknown): Promise<Answer<T>> {
  try {
    const response = await fetch(base + path, {
      signal: AbortSignal.timeout(timeout),
      ...(body !== undefined && {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      }),
    });
    const answer = await response.json();
    return response.ok ? { value: answer } : { error: answer.error ?? unreachable };
  } catch {
    return { error: unreachable };
  }
}
