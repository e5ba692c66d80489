import { ApiError, type OpenPayment, payOpenPayment, type Quote, type Subscription } from '@/api';
import type { CardProvider } from '@/lib/card-provider/port';
import { sessionRenewed } from '@/lib/session-store';
import { decide } from '@/rules/outcome';
import { confirmPayment, confirmSetup } from './confirm-card';
import { type Failure, failed, type Success } from './payment-types';

/** What is paid with: a saved card, or the one in the page's card field. */
export interface PaymentChoice {
  /** A saved card's id; null for the card field. */
  savedCard: string | null;
  /** Whether the card is charged for later bills as well. */
  makeDefault: boolean;
}

/** How an attempt ended; `quote` is what is open now, when that is not what was named. */
export type PayEnd = Success | (Failure & { quote?: Quote });

/** Message of a declined payment; `OpenPayment.reason` has the reason. */
export const declined = 'Your card was declined.';

const genericFailure = 'The payment could not be made. Please try again later.';

/**
 * Pays what is open: creates the payment method where a new card is used, calls the server, and
 * has the payment confirmed in the browser where the bank asks for it. Never rejects.
 */
export async function payOpen(
  open: OpenPayment,
  { savedCard, makeDefault }: PaymentChoice,
  cards: CardProvider,
): Promise<PayEnd> {
  try {
    let card = savedCard;
    if (card === null) {
      const made = await cards.createPaymentMethod();
      if (!made.ok) return { ...failed(made.message), about: 'card' };
      card = made.paymentMethodId;
    }
    if (open.kind === 'authentication') {
      const subscription = await payOpenPayment({ setup: true, paymentMethodId: card });
      return await authenticate(subscription, card, cards);
    }
    const { invoiceId, amount } = open;
    const request = { invoiceId, amount, paymentMethodId: card, makeDefault };
    return await settle(open, await payOpenPayment(request), cards);
  } catch (error) {
    return failureOf(error);
  }
}

async function authenticate(
  { pending_setup_intent: setup }: Subscription,
  card: string,
  cards: CardProvider,
): Promise<PayEnd> {
  if (!setup || setup.status === 'succeeded') return { kind: 'succeeded' };
  if (setup.status === 'processing') return { kind: 'processing' };
  if (!setup.client_secret) return failed('Your card could not be authenticated.');
  const another = setup.status === 'requires_payment_method' ? card : undefined;
  const end = await confirmSetup(cards, setup.client_secret, another);
  return end.kind === 'failed' ? failed(end.message) : end;
}

async function settle(
  open: OpenPayment,
  subscription: Subscription,
  cards: CardProvider,
): Promise<PayEnd> {
  const invoice = subscription.latest_invoice;
  const intent = invoice?.payment_intent;
  // A pending change leaves the subscription active: the payment itself says how far it is.
  const pending = open.kind === 'plan_change' && invoice?.id === open.invoiceId;
  const unpaid = intent && intent.status !== 'succeeded';
  const status = pending && unpaid ? 'incomplete' : subscription.status;
  const outcome = decide({ ...subscription, status }, false);
  switch (outcome) {
    case 'succeeded':
    case 'processing':
      return { kind: outcome };
    case 'confirm_payment':
      return confirmPayment(cards, intent);
    case 'confirm_setup':
      return confirmSetup(cards, subscription.pending_setup_intent?.client_secret ?? '');
    case 'card_declined':
      return failed(declined);
    case 'failed':
      return failed(genericFailure);
  }
}

function failureOf(error: unknown): PayEnd {
  const answer = error instanceof ApiError ? error : null;
  if (answer?.sessionOver) return { ...failed(sessionRenewed), sessionOver: true };
  const message = (error instanceof Error && error.message) || genericFailure;
  const certain = Boolean(answer?.answered && answer.status < 500);
  return { ...failed(message), certain, ...(answer?.quote && { quote: answer.quote }) };
}
