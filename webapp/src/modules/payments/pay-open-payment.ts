import {
  ApiError,
  type BillPayment,
  type OpenPayment,
  openQuoteIn,
  payOpenPayment,
  type Quote,
  type Subscription,
} from '@/api';
import { loadCardProvider, type ProviderConfig } from './card-provider/load';
import type { CardProvider } from './card-provider/port';
import { confirmPayment, confirmSetup } from './confirm-card';
import { execute, settle } from './executor';
import { stepOf } from './outcome';
import {
  type ConfirmationResult,
  type Failure,
  failed,
  type Redirect,
  type Success,
} from './payment-types';

/** The payment method: a saved card, or the one in the page's card field. */
export interface PaymentChoice {
  /** A saved card's id; null for the card field. */
  savedCard: string | null;
  /** Whether the card becomes the default one. */
  makeDefault: boolean;
}

/** A failed attempt. */
interface OpenPaymentFailure extends Failure {
  /** The current open payment, if it differs from the requested one. */
  quote?: Quote;
  /** Whether the server reported that nothing is open, and that the requested invoice was not paid. */
  nothingOpen?: boolean;
}

/** The result of an attempt. */
export type OpenPaymentResult = Success | Redirect | OpenPaymentFailure;

const genericFailure = 'The payment could not be made. Please try again later.';

/**
 * Pays the open payment, or authenticates the card of a trial, with a saved card or the one in the page's card field.
 * Never rejects.
 */
export const payOrAuthenticate = (
  open: OpenPayment,
  { savedCard, makeDefault }: PaymentChoice,
  cards: CardProvider,
): Promise<OpenPaymentResult> =>
  execute<OpenPaymentResult>({
    field: !savedCard && cards.Field ? cards : null,
    genericFailure,
    send: async (newCard) => {
      const card = savedCard ?? newCard;
      if (open.kind === 'authentication') {
        const subscription = await payOpenPayment({ setup: true, paymentMethodId: card });
        return authenticate(subscription, card, cards);
      }
      const { invoiceId, amount } = open;
      const request = { invoiceId, amount, paymentMethodId: card, makeDefault };
      return settle(stepOf(await payOpenPayment(request), false), cards, { genericFailure });
    },
    afterFailure: withOpenQuote,
  });

/**
 * Asks the cardholder's bank to approve the payment of a bill, in the provider's dialog. Loads the provider
 * first. Never rejects.
 */
export const approveBill = (
  { payment_intent }: BillPayment,
  provider: ProviderConfig,
): Promise<ConfirmationResult> =>
  execute<ConfirmationResult>({
    field: null,
    genericFailure,
    send: async () => {
      const secret = payment_intent?.client_secret ?? '';
      return confirmPayment(await loadCardProvider(provider), { secret, needsMethod: false });
    },
    afterFailure: (failure) => failure,
  });

/** Continues the authentication of the card with the next action; the trial has started already. */
async function authenticate(
  subscription: Subscription,
  card: string | undefined,
  cards: CardProvider,
): Promise<OpenPaymentResult> {
  const { next, secret, needsMethod } = stepOf(subscription, false);
  if (!next) return { kind: 'succeeded' };
  if (next.kind === 'wait') return { kind: 'processing' };
  const result = await confirmSetup(cards, secret, needsMethod ? card : undefined);
  return result.kind === 'failed' ? failed(result.message) : result;
}

/** Adds what is open now if the server has refused the amount. */
function withOpenQuote(failure: Failure, error?: unknown): OpenPaymentResult {
  if (!(error instanceof ApiError) || error.name !== 'ERRQUOTE' || failure.sessionOver) {
    return failure;
  }
  const quote = openQuoteIn(error);
  return { ...failure, ...(quote ? { quote } : { nothingOpen: true }) };
}
