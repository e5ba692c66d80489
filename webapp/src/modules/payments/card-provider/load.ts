import type { Config } from '@/api';
import { loadChunk } from '@/lib/load-chunk';
import { hasUnknownOutcome } from '@/modules/payments/unknown-outcome';
import { ownValue } from '@/rules/own-value';
import { type CardProvider, ProviderLoadError, ProviderNotSetUpError } from './port';

/** The payment provider of the server, from config.json. */
export type ProviderConfig = Config['provider'];

const loadFake = async () => (await loadChunk(import('./fake/fake-provider'))).fakeProvider();

/** The loaders of the providers with code for the browser, by kind. */
const loaders: Record<string, (publishableKey: string) => Promise<CardProvider>> = {
  cardgateway: async (url) =>
    (await loadChunk(import('./cardgateway/card-gateway-provider'))).cardGatewayProvider(url),
  fake: loadFake,
  fakegateway: loadFake,
  stripe: async (key) => {
    if (!key) throw new ProviderNotSetUpError('Payments are not set up.');
    return (await loadChunk(import('./stripe/stripe-provider'))).loadStripeProvider(key);
  },
};

/** Returns the failure of each method of a provider without a card field. */
const failAsUnavailable = async () =>
  ({ ok: false, message: 'This can’t be completed here. Please contact us.' }) as const;

/**
 * The provider of customers who pay on the provider's page or by invoice. They enter no card in this page, so
 * such a provider needs no code for the browser.
 */
export const noFieldProvider: CardProvider = {
  Field: null,
  createPaymentMethod: failAsUnavailable,
  confirmPayment: failAsUnavailable,
  confirmSetup: failAsUnavailable,
};

/** The loaded providers and those that are loading, by kind and key. */
const providers = new Map<string, Promise<CardProvider>>();

/**
 * Loads the browser side of a payment provider, once. Rejects with ProviderNotSetUpError if the key is missing, and with
 * a message for the customer if the code can't be loaded or if an unknown provider needs a card field. The next call
 * after a failure tries again.
 */
export function loadCardProvider(config: ProviderConfig): Promise<CardProvider> {
  const { kind, publishableKey = '' } = config;
  const key = `${kind} ${publishableKey}`;
  const cachedProvider = providers.get(key);
  if (cachedProvider) return cachedProvider;
  const provider = load(config).catch(throwForCustomer);
  providers.set(key, provider);
  provider.catch(() => providers.delete(key));
  return provider;
}

async function load({ kind, publishableKey = '', entry }: ProviderConfig): Promise<CardProvider> {
  const loader = ownValue(loaders, kind);
  if (loader) return loader(publishableKey);
  if (entry === 'redirect' || entry === 'invoice') return noFieldProvider;
  throw new Error(`There is no card field for ${kind}.`);
}

/** Throws an error with advice for the customer in its message. */
function throwForCustomer(cause: unknown): never {
  if (cause instanceof ProviderNotSetUpError) throw cause;
  const advice = cause instanceof ProviderLoadError ? cause.message : 'Check your connection.';
  const charge = hasUnknownOutcome() ? '' : 'Nothing was charged. ';
  const message = `Our payment provider can't be reached from here. ${charge}${advice}`;
  throw new Error(message, { cause });
}
