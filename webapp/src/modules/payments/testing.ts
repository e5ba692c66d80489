import type { Subscription } from '@/api';
import { aNextAction, aSubscription } from '@/testing/fixtures';
import type { CardProvider } from './card-provider/port';
import { rememberInvoice } from './latest-invoice';
import { paySubscription } from './pay-subscription';
import type { Payment, Ports } from './payment-types';

/** A trial whose card must be authenticated. */
export const onTrial = aSubscription({
  status: 'trialing',
  outcome: 'confirm_setup',
  next: aNextAction({ kind: 'confirm_setup', secret: 'seti_1_secret' }),
});

/** A card provider whose calls succeed, except for the given ones. */
export function cardsOf(results: Partial<CardProvider> = {}) {
  return {
    Field: () => null,
    createPaymentMethod: vi.fn<CardProvider['createPaymentMethod']>(async () => ({
      ok: true,
      paymentMethodId: 'pm_1',
    })),
    confirmPayment: vi.fn<CardProvider['confirmPayment']>(async () => ({
      ok: true,
      status: 'succeeded',
    })),
    confirmSetup: vi.fn<CardProvider['confirmSetup']>(async () => ({
      ok: true,
      status: 'succeeded',
    })),
    ...results,
  };
}

/** Executes a payment whose call returns or throws the given value. */
export function run(
  response: Subscription | Error,
  { cards = cardsOf(), ...parts }: Partial<Payment & Ports & { cards: CardProvider }> = {},
) {
  const call = vi.fn<Payment['call']>(async () => {
    if (response instanceof Error) throw response;
    return response;
  });
  const isDone = vi.fn<Payment['isDone']>(async () => false);
  const payment: Payment = {
    call,
    isDone,
    card: 'field',
    retriesInvoice: true,
    genericFailure: 'Interval Server Error',
    ...parts,
  };
  const saveCard = parts.saveCard ?? vi.fn(async () => ({}));
  const result = paySubscription(payment, { cards, saveCard });
  return { result, call, isDone, cards, saveCard };
}

/** A card provider result that reports a failure. */
export const refused = (message: string) => async () => ({ ok: false as const, message });

/** Stores that an earlier card was declined for the invoice in_1. */
export const rememberDecline = () =>
  rememberInvoice({
    id: 'in_1',
    payment_intent: { status: 'requires_payment_method' },
  });

/** The result of a payment that was not made, with the given changes. */
export const failure = (message: string, parts: object = {}) => ({
  kind: 'failed',
  scope: 'payment',
  certain: true,
  message,
  ...parts,
});
