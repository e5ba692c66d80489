import { CardElement } from '@stripe/react-stripe-js';

import { useEffect, useId, useMemo, useState } from 'react';
import { cx } from '@/ui/cx';
import { AlertIcon } from '@/ui/icons';
import { useCardStyle } from './use-card-style';

interface CardFieldProps {
  /** What the provider said of the card when it was sent; it goes when the card is changed. */
  error?: string;
  /** Nothing can be typed while a payment is on its way. */
  disabled?: boolean;
  /** Called with every change of the card. */
  onChange?: () => void;
}

/** The provider's card field, for use within `CardElements`, with its errors in words below. */
export function CardField({ error, disabled = false, onChange }: CardFieldProps) {
  const [typed, setTyped] = useState<string>();
  const [refused, setRefused] = useState(error);
  useEffect(() => setRefused(error), [error]);
  const errorId = useId();
  const style = useCardStyle();
  const options = useMemo(
    () => ({ style, disabled, hidePostalCode: true, disableLink: true }),
    [style, disabled],
  );
  const message = typed ?? refused;
  return (
    <fieldset className="min-w-0" aria-describedby={message ? errorId : undefined}>
      <legend className="mb-1 font-semibold">Card details</legend>
      <CardElement
        className={cx(
          'min-h-14 rounded-control border bg-surface has-[iframe]:p-4',
          '[&.StripeElement--focus]:outline-2 [&.StripeElement--focus]:outline-focus',
          message ? 'border-danger' : 'border-control-line hover:border-brand',
        )}
        options={options}
        onChange={(event) => {
          setTyped(event.error?.message);
          setRefused(undefined);
          onChange?.();
        }}
      />
      <p
        id={errorId}
        aria-live="polite"
        className="flex gap-1.5 text-sm text-danger not-empty:mt-1"
      >
        {message && <AlertIcon size={16} className="mt-0.5 shrink-0" />}
        {message && <span>{message}</span>}
      </p>
    </fieldset>
  );
}
