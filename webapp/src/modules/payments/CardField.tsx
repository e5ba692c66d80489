import { useEffect, useId, useState } from 'react';
import { CircleAlertIcon } from '@/components/icons';
import { cx } from '@/lib/cx';
import { BrandMark } from './BrandMark';
import type { CardFieldState } from './card-provider/port';
import { useCardProvider, useReportLoadError } from './WithCardProvider';

interface CardFieldProps {
  /** The provider's error message for the submitted card; removed when the card is changed. */
  error?: string;
  /** Disables the field during a payment. */
  disabled?: boolean;
  /** Called with every change of the card. */
  onChange?: () => void;
}

/**
 * The provider's card field with its error message, for use within `WithCardProvider`. Renders nothing if the provider has
 * no field.
 */
export function CardField({ error, disabled = false, onChange }: CardFieldProps) {
  const [card, setCard] = useState<CardFieldState>({});
  const [serverError, setServerError] = useState(error);
  useEffect(() => setServerError(error), [error]);
  const errorId = useId();
  const Field = useCardProvider()?.Field;
  const reportLoadError = useReportLoadError();
  const message = card.message ?? serverError;
  if (!Field) return null;
  return (
    <fieldset className="min-w-0" aria-describedby={message ? errorId : undefined}>
      <legend className="mb-1 flex w-full flex-wrap items-center justify-between gap-x-4 font-semibold">
        <span>Card details</span>
        <AcceptedBrands typed={card.brand} />
      </legend>
      <Field
        className={cx(
          'min-h-14 rounded-control border bg-surface',
          message ? 'border-danger' : 'border-control-line hover:border-brand',
        )}
        disabled={disabled}
        onChange={(typedCard) => {
          setCard(typedCard);
          setServerError(undefined);
          onChange?.();
        }}
        onLoadError={reportLoadError}
      />
      <p
        id={errorId}
        aria-live="polite"
        className="flex gap-1.5 text-sm text-danger not-empty:mt-1"
      >
        {message && <CircleAlertIcon size={16} className="mt-0.5 shrink-0" />}
        {message && <span>{message}</span>}
      </p>
    </fieldset>
  );
}

/** The brands that most customers pay with. */
const usualBrands = ['visa', 'mastercard', 'amex'];

/** The marks of the brands that most customers pay with. The others are dimmed if the brand of the card is typed. */
export const AcceptedBrands = ({ typed = '' }: { typed?: string }) => (
  <span aria-hidden className="flex gap-1">
    {usualBrands.map((brand) => (
      <span key={brand} className={cx(isDimmed(brand, typed) && 'opacity-25')}>
        <BrandMark brand={brand} small />
      </span>
    ))}
  </span>
);

const isDimmed = (brand: string, typed: string): boolean =>
  usualBrands.includes(typed) && brand !== typed;
