import type { NextAction, PriceQuote, Subscription } from '@/api';
import type { CardProvider } from '@/lib/card-provider/port';
import type { Store } from './latest-invoice';

/** A payment to execute. */
export interface Payment {
  /** The call that starts or changes the subscription. */
  call: (paid: Paid) => Promise<Subscription>;
  /**
   * What pays: the card in the page's card field, the customer's default card, or none where
   * customers pay invoices or on the provider's page.
   */
  card: 'field' | 'default' | 'none';
  /** The default card's id, where it pays: what failed with an earlier card is tried with it. */
  defaultCard?: string;
  /** Whether the customer has what the call requests; called when its outcome is unknown. */
  isDone: () => Promise<boolean>;
  /** Message of a failure without one of its own. */
  genericFailure: string;
  /** From an earlier try that only its card's authentication kept from success. */
  pendingSetup?: string;
}

/** The part of a payment call that the flow knows. */
export interface Paid {
  /** The payment method that was made in the page. */
  paymentMethodId?: string;
  /** The invoice that an earlier card was declined for. */
  retryInvoiceId?: string;
}

/** What the flow leans on. */
export interface Ports {
  cards: CardProvider;
  /** Saves a card at the server and makes it the default. */
  saveCard: (paymentMethodId: string) => Promise<unknown>;
  store: Store;
}

/** How a payment ended. */
export type PaymentEnd = Success | Redirect | Failure;

/** How the confirmation of a payment or card in the browser ended. */
export type ConfirmEnd = Success | Failure;

/** The customer continues on the provider's page and returns from there. */
export interface Redirect {
  kind: 'redirect';
  url: string;
}

/** 'processing': the provider has not decided yet, or the customer pays outside of the browser. */
export interface Success {
  kind: 'succeeded' | 'processing';
  /** How to pay outside of the browser. */
  next?: NextAction;
  /** Why the customer has to wait, in the provider's words. */
  reason?: string;
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
  /** What it costs now, when that is not what was agreed to. */
  priceQuote?: PriceQuote;
}

/** A payment that certainly did not happen. */
export function failed(message: string): Failure {
  return { kind: 'failed', about: 'payment', message, certain: true };
}
