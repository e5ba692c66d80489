import { CardInputs } from './card-inputs';
import {
  brandOfCard,
  type CardData,
  type CardError,
  cardData,
  type FieldName,
  faultyFields,
  fieldNames,
  firstFault,
} from './card-state';
import { Emitter } from './emitter';

interface Options {
  disabled?: boolean;
}

type Listener = (event: unknown) => void;

/**
 * The card field of the fake provider: what Stripe's card element is to a page, with real inputs
 * in the place of a frame. Like Stripe's it may be made, destroyed and made again at any time.
 */
export class FakeCardElement {
  readonly #events = new Emitter();
  readonly #inputs = new CardInputs();
  /** The fields that were left as they are, so that being incomplete counts. */
  readonly #left = new Set<FieldName>();

  readonly #destroyed: () => void;

  constructor(options: Options = {}, destroyed: () => void = () => {}) {
    this.#destroyed = destroyed;
    this.update(options);
    this.#inputs.listen('input', (name) => {
      this.#left.delete(name);
      this.#changed();
    });
    this.#inputs.listen('focus', () => this.#emit('focus'));
    this.#inputs.listen('blur', (name) => {
      if (this.#inputs.text[name]) this.#left.add(name);
      this.#changed();
      this.#emit('blur');
    });
  }

  mount(place: string | HTMLElement): void {
    const parent = typeof place === 'string' ? document.querySelector(place) : place;
    if (!parent) throw new Error('The card field has no place to stand in.');
    parent.replaceChildren(this.#inputs.root);
    // A destroyed element has no listener left to hear this.
    setTimeout(() => this.#emit('ready'), 0);
  }

  unmount(): void {
    this.#inputs.root.remove();
  }

  destroy(): void {
    this.#events.clear();
    this.unmount();
    this.#destroyed();
  }

  update({ disabled }: Options): void {
    if (disabled !== undefined) this.#inputs.disable(disabled);
  }

  on(event: string, listener: Listener): this {
    this.#events.on(event, listener);
    return this;
  }

  off(event: string, listener?: Listener): this {
    this.#events.off(event, listener);
    return this;
  }

  focus(): void {
    this.#inputs.focus('number');
  }

  clear(): void {
    this.#left.clear();
    this.#inputs.clear();
    this.#changed();
  }

  /** Returns the card, or its first error after focusing that input. */
  read(): { card: CardData } | { error: CardError } {
    const { text } = this.#inputs;
    const fault = firstFault(text, new Date());
    if (!fault) return { card: cardData(text) };
    for (const name of fieldNames) this.#left.add(name);
    this.#changed();
    this.#inputs.focus(fault.name);
    return { error: fault.error };
  }

  #emit(event: string, payload: object = {}): void {
    this.#events.emit(event, { elementType: 'card', ...payload });
  }

  #changed(): void {
    const { text } = this.#inputs;
    const now = new Date();
    const brand = brandOfCard(text);
    const faulty = faultyFields(text, now, this.#left);
    this.#inputs.show(brand.label, faulty);
    this.#emit('change', {
      brand: brand.name,
      complete: firstFault(text, now) === null,
      empty: fieldNames.every((name) => text[name] === ''),
      error: firstFault(text, now, faulty)?.error,
    });
  }
}
