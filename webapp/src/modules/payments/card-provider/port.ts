import type { ComponentType } from 'react';

/** The status of a payment or of the authentication of a card. */
export type IntentStatus =
  | 'requires_payment_method'
  | 'requires_confirmation'
  | 'requires_action'
  | 'requires_capture'
  | 'processing'
  | 'succeeded'
  | 'canceled';

/** The created payment method, or the provider's error message. */
type CardResult = { ok: true; paymentMethodId: string } | ErrorResult;

interface ErrorResult {
  ok: false;
  message: string;
}

/** The status of an intent after its confirmation, or the provider's error message. */
export type ConfirmResult = { ok: true; status: IntentStatus } | ErrorResult;

/** Reports that the provider's script can't be loaded. The message is advice for the customer. */
export class ProviderLoadError extends Error {}

/** Reports that the operator has not set up the provider for payments yet. */
export class ProviderNotSetUpError extends Error {}

/** The state of a card field: whether the typed card is valid, and its brand. */
export interface CardFieldState {
  /** The error message if the card is invalid. */
  message?: string;
  /** The name of the brand, such as "visa"; absent or "unknown" if the digits do not determine it. */
  brand?: string;
}

/** The properties of a provider's card field. */
export interface CardFieldProps {
  className: string;
  disabled: boolean;
  /** Called with every change of the card. */
  onChange: (card: CardFieldState) => void;
  /** Called if the field does not become ready within the provider's time limit. */
  onLoadError?: (error: ProviderLoadError) => void;
}

/**
 * The browser side of a payment provider. Methods return a failure as a message for the customer. Only the confirmations
 * reject. They do so if the provider does not answer, because only the server then knows the outcome. The app has no access
 * to the card data.
 */
export interface CardProvider {
  /** Renders the provider's card field; null when customers enter no card in the page. */
  Field: ComponentType<CardFieldProps> | null;
  /** Creates a payment method from the card in the field. Called only for a provider with a field. */
  createPaymentMethod(): Promise<CardResult>;
  /** Confirms a payment, with another card if one is given. The customer's bank may have to approve it. */
  confirmPayment(clientSecret: string, paymentMethodId?: string): Promise<ConfirmResult>;
  /** Authenticates a card for later payments: the given payment method, or else the saved card of the intent. */
  confirmSetup(clientSecret: string, paymentMethodId?: string): Promise<ConfirmResult>;
}
