import type { StripeCardElementOptions } from '@stripe/stripe-js';
import { useEffect, useState } from 'react';

type Style = StripeCardElementOptions['style'];

/** A colour of styles.css as it is now. */
function token(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/** The page's tokens in the provider's words: its frame can't see the page's style sheet. */
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
