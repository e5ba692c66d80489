import type { Subscription } from '@/api';
import type { CardProvider } from '@/lib/card-provider/port';
import type { Store } from './latest-invoice';

/** A payment to execute. */
export interface Payment {
  /** The call that starts or changes the subscription; it is given the card, if one was made. */
  call: (paymentMethodId?: string) => Promise<Subscription>;
  /** What pays: the card in the page's card field, or the customer's default card. */
  card: 'field' | 'default';
  /** The default card's id, where it pays: what failed with an earlier card is tried with it. */
  defaultCard?: string;
  /** Whether the customer has what the call requests; called when its outcome is unknown. */
  isDone: () => Promise<boolean>;
  /** Message of a failure without one of its own. */
  genericFailure: string;
  /** From an earlier try that only its card's authentication kept from success. */
  pendingSetup?: string;
}

/** What the flow leans on. */
export interface Ports {
  cards: CardProvider;
  /** Saves a card at the server and makes it the default. */
  saveCard: (paymentMethodId: string) => Promise<unknown>;
  store: Store;
}

/** How a payment ended. */
export type PaymentEnd = Success | Failure;

/** 'processing': the provider has not decided yet. */
export interface Success {
  kind: 'succeeded' | 'processing';
}

export interface Failure {
  kind: 'failed';
  /** What it is about: the card in the field, or the payment as a whole. */
  about: 'card' | 'payment';
  message: string;
  /** Why it failed, where `message` does not say so. */
  reason?: string;
  /** Whether the authentication by the cardholder's bank failed. */
  unauthenticated?: true;
  /** False when the outcome is unknown because the response was lost. */
  certain: boolean;
  /**
   * Whether it failed because the session had ended; `message` then holds after signing in again.
   */
  sessionOver?: true;
  /** For `Payment.pendingSetup` of the next try. */
  pendingSetup?: string;
}

/** A payment that certainly did not happen. */
export function failed(message: string): Failure {
  return { kind: 'failed', about: 'payment', message, certain: true };
}
