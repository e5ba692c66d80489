import { CardElement } from '@stripe/react-stripe-js';
import type { StripeCardElementOptions } from '@stripe/stripe-js';
import { useEffect, useId, useMemo, useState } from 'react';
import { cx } from '@/lib/cx';
import { AlertIcon } from './icons';

interface CardFieldProps {
  /** What the provider said of the card when it was sent; it goes when the card is changed. */
  error?: string;
  /** Nothing can be typed while a payment is on its way. */
  disabled?: boolean;
  /** Called with every change of the card. */
  onChange?: () => void;
}

/** The provider's card field with its error message; use it within `CardElements`. */
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

type Style = StripeCardElementOptions['style'];

/** A colour of styles.css as it is now. */
function token(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/**
 * The design tokens as Stripe element styles: the provider's iframe can't read the page's style
 * sheet.
 */
function cardStyle(): Style {
  return {
    base: {
      color: token('--ink'),
      iconColor: token('--muted'),
      fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, Arial, sans-serif',
      fontSize: '16px',
      lineHeight: '24px',
      '::placeholder': { color: token('--muted') },
    },
    invalid: { color: token('--danger'), iconColor: token('--danger') },
  };
}

/** How the card field looks, anew when the page turns dark or light. */
export function useCardStyle(): Style {
  const [style, setStyle] = useState(cardStyle);
  useEffect(() => {
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    const turned = () => setStyle(cardStyle());
    scheme.addEventListener('change', turned);
    return () => scheme.removeEventListener('change', turned);
  }, []);
  return style;
}
