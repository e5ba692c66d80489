import { formatCvc } from './card-cvc';
import { formatExpiry } from './card-expiry';
import { formatNumber } from './card-number';
import { brandOfCard, type CardText, type FieldName, fieldNames } from './card-state';
import { mask } from './masked-input';

interface Description {
  label: string;
  placeholder: string;
  autocomplete: string;
  className: string;
}

const descriptions: Record<FieldName, Description> = {
  number: {
    label: 'Card number',
    placeholder: '1234 1234 1234 1234',
    autocomplete: 'cc-number',
    className: 'col-span-2 border-b border-line',
  },
  expiry: {
    label: 'Expiry',
    placeholder: 'MM / YY',
    autocomplete: 'cc-exp',
    className: 'border-r border-line',
  },
  cvc: { label: 'CVC', placeholder: 'CVC', autocomplete: 'cc-csc', className: '' },
};

let serial = 0;

/**
 * The three labelled inputs and the mark of the card's brand; they know nothing of what is right.
 */
export class CardInputs {
  readonly root = document.createElement('div');
  readonly #brandMark = document.createElement('span');
  readonly #inputs: Record<FieldName, HTMLInputElement>;
  #left?: FieldName;

  constructor() {
    this.root.className = 'grid grid-cols-2';
    this.#inputs = {
      number: this.#add('number', formatNumber),
      expiry: this.#add('expiry', formatExpiry),
      cvc: this.#add('cvc', (text) => formatCvc(text, brandOfCard(this.text))),
    };
    this.#brandMark.className = 'pointer-events-none absolute top-1.5 right-4 text-sm text-muted';
    this.#inputs.number.after(this.#brandMark);
  }

  get text(): CardText {
    const { number, expiry, cvc } = this.#inputs;
    return { number: number.value, expiry: expiry.value, cvc: cvc.value };
  }

  focus(name: FieldName): void {
    this.#inputs[name].focus();
  }

  /** Calls back with the input that dispatched an event of this type. */
  listen(type: 'input' | 'focus' | 'blur', listener: (name: FieldName) => void): void {
    for (const name of fieldNames) {
      this.#inputs[name].addEventListener(type, () => listener(name));
    }
  }

  show(brand: string, faulty: readonly FieldName[]): void {
    this.#brandMark.textContent = brand;
    for (const name of fieldNames) {
      this.#inputs[name].setAttribute('aria-invalid', String(faulty.includes(name)));
    }
  }

  /** Whoever was in an input when it was disabled is there again afterwards. */
  disable(disabled: boolean): void {
    if (disabled) this.#left = fieldNames.find((name) => this.#isFocused(name));
    for (const name of fieldNames) this.#inputs[name].disabled = disabled;
    if (disabled || !this.#left || document.activeElement !== document.body) return;
    this.focus(this.#left);
  }

  clear(): void {
    for (const name of fieldNames) this.#inputs[name].value = '';
  }

  #isFocused(name: FieldName): boolean {
    return document.activeElement === this.#inputs[name];
  }

  #add(name: FieldName, format: (text: string) => string): HTMLInputElement {
    const { label, placeholder, autocomplete, className } = descriptions[name];
    const input = document.createElement('input');
    input.id = `card-${name}-${++serial}`;
    input.type = 'text';
    input.inputMode = 'numeric';
    input.placeholder = placeholder;
    input.spellcheck = false;
    input.setAttribute('autocomplete', autocomplete);
    input.setAttribute('aria-required', 'true');
    input.className =
      'figures w-full min-w-0 rounded-control bg-transparent px-4 pt-7 pb-2 placeholder:text-muted focus-visible:-outline-offset-2 aria-invalid:text-danger disabled:text-muted';
    mask(input, format);

    const caption = document.createElement('label');
    caption.htmlFor = input.id;
    caption.textContent = label;
    caption.className = 'pointer-events-none absolute inset-x-4 top-1.5 text-sm text-muted';

    const cell = document.createElement('div');
    cell.className = `relative min-w-0 ${className}`;
    cell.append(caption, input);
    this.root.append(cell);
    return input;
  }
}
