import type { Action } from './button';
import { isInterval, type License, type PriceRef } from './types';

/**
 * The destination of a plan's button. "newCustomer" is not a screen: the caller creates the organisation's customer
 * and calls `targetOf` again with its id.
 */
export type Screen = 'none' | 'payment' | 'confirm' | 'regform' | 'contact' | 'newCustomer';

/** The state of the confirmation screen; `from` is null without a current license. */
export interface Change {
  from: PriceRef | null;
  to: PriceRef;
  mode: 'update';
}

export interface Target {
  screen: Screen;
  /** The query parameters in the order of the URL. Their values are not escaped. */
  query: [key: string, value: string][];
  /** The navigation state for "confirm"; null for other screens. */
  state: Change | null;
}

interface TargetInput {
  action: Action;
  to: PriceRef;
  debug: boolean;
  signedIn: boolean;
  customerId: string | null;
  license: License | null;
}

/** Returns the destination of a plan's button with its navigation state. */
export function targetOf(input: TargetInput): Target {
  const { action, to, debug, license } = input;
  const debugParam: Target['query'] = debug ? [['debug', 'true']] : [];
  switch (action) {
    case 'contact':
      return screenTarget('contact', [
        ['product', to.product],
        ['interval', to.interval],
      ]);
    case 'update':
      return {
        screen: 'confirm',
        query: debugParam,
        state: { from: licensePriceRef(license, to), to, mode: 'update' },
      };
    case 'start':
      return startTarget(input, debugParam);
    default:
      return screenTarget('none');
  }
}

/** Returns the destination of the button that starts a subscription. */
function startTarget(
  { to, signedIn, customerId }: TargetInput,
  debugParam: Target['query'],
): Target {
  const choice: Target['query'] = [
    ['product', to.product],
    ['currency', to.currency],
    ['interval', to.interval],
  ];
  if (!signedIn) return screenTarget('regform', [...choice, ...debugParam]);
  if (!customerId) return screenTarget('newCustomer');
  return screenTarget('payment', [['customer', customerId], ...choice, ...debugParam]);
}

function screenTarget(screen: Screen, query: Target['query'] = []): Target {
  return { screen, query, state: null };
}

/** Returns the price of the license, in the displayed currency if the server does not report the license's currency. */
function licensePriceRef(license: License | null, to: PriceRef): PriceRef | null {
  if (!license || !isInterval(license.interval)) return null;
  const { interval, currency, raw } = license;
  return { product: raw.metadata.name, interval, currency: currency || to.currency };
}
