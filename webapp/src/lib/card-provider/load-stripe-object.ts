import type { Stripe } from '@stripe/stripe-js';

/** The payment provider of the server, from config.json. */
export interface ProviderConfig {
  kind: string;
  publishableKey?: string;
}

/** What brings each provider's object, by its name: one line for each. */
const loaders: Record<string, (publishableKey: string) => Promise<Stripe>> = {
  fake: loadFake,
  stripe: loadReal,
};

const loaded = new Map<string, Promise<Stripe>>();

/**
 * The provider's object for the browser, loaded once and kept; a screen that shows no card never
 * loads it. Rejects when it can't be had, and then the next call tries again.
 */
export function loadStripeObject({ kind, publishableKey = '' }: ProviderConfig): Promise<Stripe> {
  const key = `${kind} ${publishableKey}`;
  const known = loaded.get(key);
  if (known) return known;
  const loading = load(kind, publishableKey);
  loaded.set(key, loading);
  loading.catch(() => loaded.delete(key));
  return loading;
}

async function load(kind: string, publishableKey: string): Promise<Stripe> {
  const loader = loaders[kind];
  if (!loader) throw new Error(`There is no card field for ${kind}.`);
  return loader(publishableKey);
}

async function loadReal(publishableKey: string): Promise<Stripe> {
  const { loadStripe } = await import('@stripe/stripe-js/pure');
  const stripe = await loadStripe(publishableKey);
  if (!stripe) throw new Error('Stripe needs a browser.');
  return stripe;
}

async function loadFake(): Promise<Stripe> {
  const { fakeStripe } = await import('@/lib/card-provider/fake/fake-stripe');
  // The fake has the functions this app calls and no others.
  return fakeStripe() as unknown as Stripe;
}
