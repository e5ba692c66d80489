import type { Config, NextAction } from '@/api';

/** What some payment providers can't do, as config.json names it. */
export type Capability =
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

/** The next action if it says how to pay outside of the browser; else null. */
export const withInstructions = (next: NextAction | null | undefined): NextAction | null =>
  next?.kind === 'wait' && next.instructions.length > 0 ? next : null;
