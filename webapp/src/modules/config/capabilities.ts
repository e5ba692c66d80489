import type { Capability, Config, NextAction } from '@/api';
import { useLoadedConfig } from './config-store';

/** The capabilities of a server that declares none: the calls and fields of the specification. */
const specifiedCapabilities: Capability[] = ['saved_methods', 'change_now', 'change_now_cheaper'];

/** Whether the server has a capability. */
export const can = ({ provider }: Pick<Config, 'provider'>, capability: Capability): boolean =>
  (provider.capabilities ?? specifiedCapabilities).includes(capability);

/** Whether the server has a capability; false until the configuration is loaded. */
export function useCan(capability: Capability): boolean {
  const config = useLoadedConfig();
  return config !== null && can(config, capability);
}

/** Whether customers pay invoices by transfer instead of being charged. */
export const paysInvoices = ({ provider }: Pick<Config, 'provider'>): boolean =>
  provider.entry === 'invoice';

/** Whether cards are entered in a field of the page, and not on the provider's page. False if there are no cards. */
export const hasCardField = ({ provider: { entry } }: Pick<Config, 'provider'>): boolean =>
  entry !== 'redirect' && entry !== 'invoice';

/** Returns the noun for the customer's means of payment, within a sentence: 'card' or 'payment method'. */
export const providerMethodNoun = (config: Pick<Config, 'provider'>): string =>
  hasCardField(config) ? 'card' : 'payment method';

/** Returns the next action if it contains payment instructions, else null. */
export const actionWithInstructions = (next: NextAction | null | undefined): NextAction | null =>
  next?.kind === 'wait' && next.instructions.length > 0 ? next : null;
