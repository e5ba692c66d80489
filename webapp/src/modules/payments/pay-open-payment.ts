import {
  ApiError,
  type OpenInvoice,
  type OpenPayment,
  type OverduePayment,
  openInvoiceIn,
  payOpenPayment,
} from '@/api';
import { messageOf } from '@/lib/failure-message';
import { authenticateTrialCard } from './authenticate-trial-card';
import { loadCardProvider, type ProviderConfig } from './card-provider/load';
import type { CardProvider } from './card-provider/port';
import { confirmPayment } from './confirm-card';
import { executePayment, executeStep } from './execute-payment';
import { stepOf } from './outcome';
import {
  type ConfirmationResult,
  type Failure,
  newFailure,
  type Redirect,
  type Success,
} from './payment-types';

/** The payment method that the customer has chosen: a saved card, or the card in the page's card field. */
export interface PaymentChoice {
  /** The id of the saved card; null for the card in the field. */
  savedCardId: string | null;
  /** Whether the card becomes the default one. */
  makeDefault: boolean;
}

/** A failed attempt to pay an open payment. */
interface OpenPaymentFailure extends Failure {
  /** The open invoice if it or its amount differs from the requested one. */
  openInvoice?: OpenInvoice;
  /** Whether the server reported that no payment is open any more, although the requested invoice was not paid. */
  isNothingOpen?: boolean;
}

/** The result of an attempt to pay an open payment. */
export type OpenPaymentResult = Success | Redirect | OpenPaymentFailure;

const fallbackMessage = 'The payment could not be made. Please try again later.';

/** Pays the open payment, or authenticates the card of a trial, with the chosen card. Never rejects. */
export const payOrAuthenticate = (
  payment: OpenPayment,
  { savedCardId, makeDefault }: PaymentChoice,
  cardProvider: CardProvider,
): Promise<OpenPaymentResult> =>
  executePayment<OpenPaymentResult>({
    fieldProvider: !savedCardId && cardProvider.Field ? cardProvider : null,
    fallbackMessage,
    send: async (newCardId) => {
      const cardId = savedCardId ?? newCardId;
      if (payment.kind === 'authentication') {
        return authenticateTrialCard(cardId, cardProvider);
      }
      const { invoiceId, amount } = payment;
      const request = { invoiceId, amount, paymentMethodId: cardId, makeDefault };
      return executeStep(stepOf(await payOpenPayment(request), false), cardProvider, {
        fallbackMessage,
      });
    },
    handleFailure: addOpenInvoice,
  });

/** Loads the provider and opens its dialog, in which the cardholder approves the payment of an invoice. Never rejects. */
export async function approveOverduePayment(
  { payment_intent }: OverduePayment,
  provider: ProviderConfig,
): Promise<ConfirmationResult> {
  let cardProvider: CardProvider;
  try {
    cardProvider = await loadCardProvider(provider);
  } catch (error) {
    return newFailure(messageOf(error, fallbackMessage));
  }
  const secret = payment_intent?.client_secret ?? '';
  return executePayment<ConfirmationResult>({
    fieldProvider: null,
    fallbackMessage,
    send: () => confirmPayment(cardProvider, { secret, needsMethod: false }),
    handleFailure: (failure) => failure,
  });
}

/** Adds the open invoice to the failure if the server refused the invoice or the amount. */
function addOpenInvoice(failure: Failure, error?: unknown): OpenPaymentResult {
  if (!(error instanceof ApiError) || error.name !== 'ERRQUOTE' || failure.sessionOver) {
    return failure;
  }
  const openInvoice = openInvoiceIn(error);
  return { ...failure, ...(openInvoice ? { openInvoice } : { isNothingOpen: true }) };
}
