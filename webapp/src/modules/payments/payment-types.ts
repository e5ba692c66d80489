import type { ChargedDiffers, NextAction, PriceQuote, Subscription } from '@/api';
import type { CardProvider } from './card-provider/port';

/** A payment to execute. */
export interface Payment {
  /** The call that starts or changes the subscription. */
  call: (params: PaymentParams) => Promise<Subscription>;
  /**
   * The payment method: the card in the page's card field, the customer's default card, or none if
   * customers pay invoices or on the provider's page.
   */
  card: 'field' | 'default' | 'none';
  /** The id of the default card when `card` is 'default'. It also pays the invoice that an earlier card was declined for. */
  defaultCardId?: string;
  /** Whether the server accepts the id of the invoice for which an earlier card was declined. */
  retriesInvoice: boolean;
  /** Returns whether the requested change was made. It is called when the outcome is unknown. */
  isDone: () => Promise<boolean>;
  /** The message of a failure for which neither server nor provider has one. */
  fallbackMessage: string;
  /** Whether an earlier attempt has started the trial, so that only its card has to be authenticated. */
  pendingSetup?: true;
}

/** The parameters of a payment call that `paySubscription` sets. */
export interface PaymentParams {
  /** The payment method that was created in the page. */
  paymentMethodId?: string;
  /** The invoice for which an earlier card was declined. */
  retryInvoiceId?: string;
}

/** The dependencies of `paySubscription`. */
export interface Ports {
  cardProvider: CardProvider;
}

/** The result of a payment. */
export type PaymentResult = Success | Redirect | Failure;

/** The result of confirming a payment or card in the browser. */
export type ConfirmationResult = Success | Failure;

/** A payment that continues on the provider's page, from which the customer returns. */
export interface Redirect {
  kind: 'redirect';
  url: string;
}

/** A payment that succeeded or is processing. */
export interface Success {
  /** 'processing' if the provider has not decided yet, or if the customer pays outside of the browser. */
  kind: 'succeeded' | 'processing';
  /** The action with the instructions for a payment outside of the browser. */
  next?: NextAction;
  /** The provider's reason why the customer has to wait. */
  reason?: string;
  /** The quoted and the charged amount, if they differ. */
  chargeDifference?: ChargedDiffers;
}

/** A payment that was not made, or that has an unknown outcome. */
export interface Failure {
  kind: 'failed';
  /** Whether the failure is shown at the card field or for the whole payment. */
  scope: 'card' | 'payment';
  message: string;
  /** The reason, if `message` does not contain it. */
  reason?: string;
  /** Whether the authentication by the cardholder's bank failed. */
  unauthenticated?: true;
  /** Whether it is certain that the payment was not made. False if, for example, the response was lost. */
  isOutcomeKnown: boolean;
  /** Whether this attempt was refused, and only the outcome of an earlier attempt is unknown. */
  isEarlierOutcomeUnknown?: true;
  /** Whether the payment failed because the session had ended. The message is shown after signing in again. */
  sessionOver?: true;
  /** The value of `Payment.pendingSetup` for the next attempt. */
  pendingSetup?: true;
  /** The new quote, if the price differs from the accepted quote. */
  priceQuote?: PriceQuote;
}

/** Returns the failure of a payment that was certainly not made. */
export function newFailure(message: string): Failure {
  return { kind: 'failed', scope: 'payment', message, isOutcomeKnown: true };
}
