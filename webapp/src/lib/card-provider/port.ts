/** How far a payment, or the authentication of a card, has come. */
export type IntentStatus =
  | 'requires_payment_method'
  | 'requires_confirmation'
  | 'requires_action'
  | 'requires_capture'
  | 'processing'
  | 'succeeded'
  | 'canceled';

/** The created payment method, or the provider's error message. */
export type CardResult = { ok: true; paymentMethodId: string } | { ok: false; message: string };

/** The status of an intent after its confirmation, or the provider's error message. */
export type ConfirmResult = { ok: true; status: IntentStatus } | { ok: false; message: string };

/**
 * The payment provider's side that runs in the browser. Nothing here throws: what goes wrong comes
 * back as a sentence for the customer. The card itself never passes through our code.
 */
export interface CardProvider {
  /** Hands the card in the page's card field to the provider. */
  createPaymentMethod(): Promise<CardResult>;
  /** Confirms a payment, with another card when one is named; may ask the customer's bank. */
  confirmPayment(clientSecret: string, paymentMethodId?: string): Promise<ConfirmResult>;
  /** Confirms a card for later payments, with another card when one is named. */
  confirmSetup(clientSecret: string, paymentMethodId?: string): Promise<ConfirmResult>;
}
