import type { CardProvider } from '@/modules/payments/card-provider/port';

const unavailable = async () =>
  ({ ok: false, message: 'This can’t be completed here. Please contact us.' }) as const;

/**
 * Used for all providers whose customers pay on the provider's page or by invoice. Nothing is entered
 * or confirmed in this page, so these providers need no code of their own.
 */
export const withoutField: CardProvider = {
  Field: null,
  createPaymentMethod: unavailable,
  confirmPayment: unavailable,
  confirmSetup: unavailable,
};
