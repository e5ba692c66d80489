import type { Config } from '@/api';
import { type CardProvider, ProviderLoadError, ProviderNotSetUpError } from './port';
import { withoutField } from './without-field/without-field';

/** The payment provider of the server, from config.json. */
export type ProviderConfig = Config['provider'];

/** The providers with code for the browser, by name. */
const loaders: Record<string, (publishableKey: string) => Promise<CardProvider>> = {
  fake: async () => (await import('./fake/fake-provider')).fakeProvider(),
  stripe: async (key) => {
    if (!key) throw new ProviderNotSetUpError('Payments are not set up.');
    return (await import('./stripe/stripe-provider')).loadStripeProvider(key);
  },
};

const loaded = new Map<string, Promise<CardProvider>>();

/**
 * Loads the browser side of a payment provider, once. A provider that redirects customers or sends
 * invoices needs no code of its own. Rejects with a message for the customer when the code can't be loaded and
 * for an unknown provider with a card field, and with ProviderNotSetUpError without the key that the provider
 * needs; the next call tries again.
 */
export function loadCardProvider(provider: ProviderConfig): Promise<CardProvider> {
  const { kind, publishableKey = '' } = provider;
  const key = `${kind} ${publishableKey}`;
  const known = loaded.get(key);
  if (known) return known;
  const loading = load(provider).catch(rejectForCustomer);
  loaded.set(key, loading);
  loading.catch(() => loaded.delete(key));
  return loading;
}

async function load({ kind, publishableKey = '', entry }: ProviderConfig): Promise<CardProvider> {
  const loader = loaders[kind];
  if (loader) return loader(publishableKey);
  if (entry === 'redirect' || entry === 'invoice') return withoutField;
  throw new Error(`There is no card field for ${kind}.`);
}

function rejectForCustomer(cause: unknown): never {
  if (cause instanceof ProviderNotSetUpError) throw cause;
  const advice = cause instanceof ProviderLoadError ? cause.message : 'Check your connection.';
  const message = `Our payment provider can't be reached from here. Nothing was charged. ${advice}`;
  throw new Error(message, { cause });
}
