import { browserFace } from './browser-face';
import { FakeCardElement } from './card-element';
import { confirmIntent } from './confirm-intent';

interface ConfirmData {
  payment_method?: string;
}

/**
 * The fake provider's object for the browser: as much of Stripe's as this app and
 * @stripe/react-stripe-js call, with answers of the same shape.
 */
export function fakeStripe() {
  return {
    elements: fakeElements,
    async createToken() {
      return { error: { type: 'invalid_request_error', message: 'Cards are not made to tokens.' } };
    },
    async createPaymentMethod({ card }: { type: 'card'; card: FakeCardElement }) {
      const read = card.read();
      if ('error' in read) return read;
      const answer = await browserFace.createPaymentMethod(read.card);
      return 'error' in answer ? answer : { paymentMethod: answer.value };
    },
    async confirmCardPayment(clientSecret: string, data?: ConfirmData) {
      const answer = await confirmIntent(clientSecret, data?.payment_method);
      return 'error' in answer ? answer : { paymentIntent: answer.value };
    },
    async confirmCardSetup(clientSecret: string, data?: ConfirmData) {
      const answer = await confirmIntent(clientSecret, data?.payment_method);
      return 'error' in answer ? answer : { setupIntent: answer.value };
    },
  };
}

/** The key of an element: its type, or the React component that renders it. */
type Wanted = string | { __elementType?: string };

function fakeElements() {
  let card: FakeCardElement | null = null;
  return {
    create(type: string, options?: { disabled?: boolean }) {
      if (type !== 'card') throw new Error(`The fake provider has no ${type} element.`);
      const made = new FakeCardElement(options, () => {
        if (card === made) card = null;
      });
      card = made;
      return made;
    },
    getElement(wanted: Wanted) {
      const type = typeof wanted === 'string' ? wanted : wanted.__elementType;
      return type === 'card' ? card : null;
    },
    update() {},
  };
}
