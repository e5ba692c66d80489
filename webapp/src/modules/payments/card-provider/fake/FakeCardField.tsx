import {
  type ComponentProps,
  type Ref,
  useEffect,
  useId,
  useImperativeHandle,
  useRef,
  useState,
} from 'react';
import type { CardFieldProps } from '@/modules/payments/card-provider/port';
import {
  brandOfCard,
  type CardData,
  type CardText,
  cardData,
  type FieldName,
  fieldNames,
  firstInvalidField,
  formatCvc,
  formatExpiry,
  formatNumber,
  invalidFields,
} from './card';

/** The handle of the field, which reads its card. */
export interface FakeCardHandle {
  /** Returns the card, or the message of the first invalid input, which is marked and focused. */
  read: () => { card: CardData } | { message: string };
}

/** The card field of the fake provider: three inputs in the place of a provider's frame. */
export function FakeCardField({
  className,
  disabled,
  onChange,
  ref,
}: CardFieldProps & { ref?: Ref<FakeCardHandle> }) {
  const id = useId();
  const text = useRef<CardText>({ number: '', expiry: '', cvc: '' });
  /** The inputs that had a value when they lost the focus. They are marked while they are incomplete. */
  const blurredFields = useRef(new Set<FieldName>());
  const inputs = useRef<Partial<Record<FieldName, HTMLInputElement>>>({});
  const [invalidNames, setInvalidNames] = useState<FieldName[]>([]);
  const storeFocus = useRestoredFocus(disabled);

  /** Marks the invalid inputs, and reports the brand and the first error. */
  function update() {
    const now = new Date();
    const names = invalidFields(text.current, now, blurredFields.current);
    setInvalidNames(names);
    onChange({
      message: firstInvalidField(text.current, now, names)?.message,
      brand: brandOfCard(text.current).name,
    });
  }

  useImperativeHandle(ref, () => ({
    read: () => {
      const invalidField = firstInvalidField(text.current, new Date());
      if (!invalidField) return { card: cardData(text.current) };
      for (const name of fieldNames) blurredFields.current.add(name);
      update();
      inputs.current[invalidField.name]?.focus();
      return { message: invalidField.message };
    },
  }));

  return (
    <div className={`grid grid-cols-2 ${className}`}>
      {fieldNames.map((name) => {
        const { format, ...attributes } = inputDescriptions[name];
        return (
          <CardInput
            {...attributes}
            key={name}
            id={`${id}-${name}`}
            ref={(input) => {
              if (input) inputs.current[name] = input;
            }}
            disabled={disabled}
            aria-invalid={invalidNames.includes(name)}
            onInput={({ currentTarget, nativeEvent }) => {
              const previousText = text.current[name];
              const formatText = (typedText: string) => format(typedText, text.current);
              maskInput(currentTarget, formatText, previousText, nativeEvent as InputEvent);
              text.current[name] = currentTarget.value;
              blurredFields.current.delete(name);
              update();
            }}
            onFocus={storeFocus}
            onBlur={({ currentTarget }) => {
              if (currentTarget.value) blurredFields.current.add(name);
              update();
            }}
          />
        );
      })}
    </div>
  );
}

interface CardInputProps extends ComponentProps<'input'> {
  label: string;
  /** The classes of the cell around the input. */
  cellClass: string;
}

/** An input of the card with its label. */
function CardInput({ label, cellClass, ...input }: CardInputProps) {
  return (
    <div className={`relative min-w-0 ${cellClass}`}>
      <label
        htmlFor={input.id}
        className="pointer-events-none absolute inset-x-4 top-1.5 text-sm text-muted"
      >
        {label}
      </label>
      <input
        {...input}
        inputMode="numeric"
        spellCheck={false}
        aria-required
        className="figures w-full min-w-0 rounded-control bg-transparent px-4 pt-7 pb-2 placeholder:text-muted focus-visible:-outline-offset-2 aria-invalid:text-danger disabled:text-muted"
      />
    </div>
  );
}

interface InputDescription
  extends Pick<CardInputProps, 'label' | 'cellClass' | 'placeholder' | 'autoComplete'> {
  format: (typedText: string, card: CardText) => string;
}

const inputDescriptions: Record<FieldName, InputDescription> = {
  number: {
    label: 'Card number',
    placeholder: '1234 1234 1234 1234',
    autoComplete: 'cc-number',
    cellClass: 'col-span-2 border-b border-line',
    format: formatNumber,
  },
  expiry: {
    label: 'Expiry',
    placeholder: 'MM / YY',
    autoComplete: 'cc-exp',
    cellClass: 'border-r border-line',
    format: formatExpiry,
  },
  cvc: {
    label: 'CVC',
    placeholder: 'CVC',
    autoComplete: 'cc-csc',
    cellClass: '',
    format: (typedText, card) => formatCvc(typedText, brandOfCard(card)),
  },
};

/**
 * Restores the focus when the field is enabled again, because the browser removes the focus from a disabled input. Does
 * nothing if another element has received the focus. Returns the focus handler of the inputs.
 */
function useRestoredFocus(disabled: boolean) {
  const lastFocused = useRef<HTMLInputElement | null>(null);
  const hadFocus = useRef(false);
  // The focus is read while rendering, before the browser removes it from the disabled input.
  if (disabled && !hadFocus.current)
    hadFocus.current = lastFocused.current === document.activeElement;
  useEffect(() => {
    if (disabled) return;
    if (hadFocus.current && document.activeElement === document.body) lastFocused.current?.focus();
    hadFocus.current = false;
  }, [disabled]);
  return ({ currentTarget }: { currentTarget: HTMLInputElement }) => {
    lastFocused.current = currentTarget;
  };
}

const countDigits = (text: string) => text.replace(/\D/g, '').length;

/** Returns the index in `text` after this many digits. */
function indexAfterDigits(text: string, count: number): number {
  let digits = 0;
  for (let index = 0; index < text.length; index++) {
    if (digits === count) return index;
    if (/\d/.test(text.charAt(index))) digits++;
  }
  return text.length;
}

/**
 * Formats the input and keeps the position of the caret. Deleting a separator also deletes the digit before
 * it; otherwise the formatting would restore the separator.
 */
function maskInput(
  input: HTMLInputElement,
  format: (text: string) => string,
  previousText: string,
  event: InputEvent,
): void {
  const typedText = input.value;
  let caret = input.selectionStart ?? typedText.length;
  let text = format(typedText);
  if (
    event.inputType?.startsWith('delete') &&
    typedText !== previousText &&
    text === previousText
  ) {
    const digit = indexAfterDigits(typedText, countDigits(typedText.slice(0, caret)) - 1);
    text = format(typedText.slice(0, digit) + typedText.slice(digit + 1));
    caret = digit;
  }
  const atEnd = caret >= typedText.length;
  const digits = countDigits(typedText.slice(0, caret));
  input.value = text;
  const position = atEnd ? text.length : indexAfterDigits(text, digits);
  if (document.activeElement === input) input.setSelectionRange(position, position);
}
