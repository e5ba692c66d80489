import type { Config, NextAction } from '@/api';

/** The capabilities that a payment provider may lack, as named in config.json. */
type Capability =
  | 'saved_methods'
  | 'quotes'
  | 'change_now'
  | 'change_now_cheaper'
  | 'change_at_renewal'
  | 'end_at_period_end'
  | 'invoice_pdf'
  | 'pay_invoice';

/** Whether the payment provider has a capability. */
export const can = ({ provider }: Pick<Config, 'provider'>, capability: Capability): boolean =>
  !provider.missing?.includes(capability);

/** Whether customers pay invoices by transfer instead of being charged. */
export const paysInvoices = ({ provider }: Pick<Config, 'provider'>): boolean =>
  provider.entry === 'invoice';

/** Whether cards are entered in a field of the page, not on the provider's page or not at all. */
export const hasCardField = ({ provider: { entry } }: Pick<Config, 'provider'>): boolean =>
  entry !== 'redirect' && entry !== 'invoice';

/** Returns the next action if it contains payment instructions, else null. */
export const withInstructions = (next: NextAction | null | undefined): NextAction | null =>
  next?.kind === 'wait' && next.instructions.length > 0 ? next : null;
