import type { CardProvider } from '@/lib/card-provider/port';

const notHere = async () =>
  ({ ok: false, message: 'This can’t be completed here. Please contact us.' }) as const;

/**
 * Any provider whose customers pay on the provider's page or by invoice: nothing is entered or
 * confirmed in this page, so the provider needs no code here.
 */
export const withoutField: CardProvider = {
  Field: null,
  createPaymentMethod: notHere,
  confirmPayment: notHere,
  confirmSetup: notHere,
};
