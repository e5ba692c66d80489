import type { Config } from '@/api';
import type { CardProvider } from './port';
import { withoutField } from './without-field/without-field';

/** The payment provider of the server, from config.json. */
export type ProviderConfig = Config['provider'];

/** Loads the code of the providers that have some in the browser, by name. */
const loaders: Record<string, (publishableKey: string) => Promise<CardProvider>> = {
  fake: async () => (await import('./fake/fake-provider')).fakeProvider(),
  stripe: async (key) => (await import('./stripe/stripe-provider')).loadStripeProvider(key),
};

const loaded = new Map<string, Promise<CardProvider>>();

/**
 * The provider's side in the browser, loaded once. Any provider whose customers are redirected or
 * pay invoices works without code of its own. Rejects when the code can't be loaded, or when the
 * customer would need a card field that does not exist here; the next call tries again.
 */
export function loadCardProvider(provider: ProviderConfig): Promise<CardProvider> {
  const { kind, publishableKey = '' } = provider;
  const key = `${kind} ${publishableKey}`;
  const known = loaded.get(key);
  if (known) return known;
  const loading = load(provider);
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
