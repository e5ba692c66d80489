/**
 * The payment provider in the browser, Stripe's or the fake one, behind one interface. Import it
 * from screens that take a card and from nothing else: it is loaded with them.
 */
export { CardElements } from './CardElements';
export { CardField } from './CardField';
export type { CardProvider, CardResult, ConfirmResult, IntentStatus } from './port';
export { useCardProvider } from './use-card-provider';
