import type { Subscription } from '@/api';
import { aNextAction, aSubscription } from '@/testing/fixtures';
import type { CardProvider } from './card-provider/port';
import { rememberInvoice } from './latest-invoice';
import { paySubscription } from './pay-subscription';
import type { Payment, Ports } from './payment-types';

/** The response for a trial with a card that must be authenticated. */
export const unapprovedTrial = aSubscription({
  status: 'trialing',
  outcome: 'confirm_setup',
  next: aNextAction({ kind: 'confirm_setup', secret: 'seti_1_secret' }),
});

/** Returns a card provider. All methods succeed, except for the given ones. */
export function newCardProvider(methods: Partial<CardProvider> = {}) {
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
    ...methods,
  };
}

/** Starts a payment. Its call returns the subscription or throws the error. */
export function pay(
  response: Subscription | Error,
  { cardProvider = newCardProvider(), ...options }: Partial<Payment & Ports> = {},
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
    fallbackMessage: 'Interval Server Error',
    ...options,
  };
  const result = paySubscription(payment, { cardProvider });
  return { result, call, isDone, cardProvider };
}

/** Returns a method of a card provider that fails with this message. */
export const refuse = (message: string) => async () => ({ ok: false as const, message });

/** Stores in_1 as the invoice for which an earlier card was declined. */
export const rememberDecline = () =>
  rememberInvoice({
    id: 'in_1',
    payment_intent: { status: 'requires_payment_method' },
  });

/** Returns the result of a payment that was not made. `changes` replaces or adds fields. */
export const failure = (message: string, changes: object = {}) => ({
  kind: 'failed',
  scope: 'payment',
  isOutcomeKnown: true,
  message,
  ...changes,
});
