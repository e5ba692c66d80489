import type { Config } from '@/api';
import { can, paysInvoices } from '@/modules/config/capabilities';

/** The plan whose next charge is announced. */
interface ChargedPlan {
  interval: string;
  isTrial: boolean;
  /** Whether the next charge is the first one after months that credit has paid. */
  isAfterCredit?: boolean;
  /** The days until the next charge. */
  daysLeft: number;
}

/** Returns the sentence about the email that announces the next charge, or '' if no email will be sent before it. */
export function reminderText(
  { interval, isTrial, isAfterCredit = false, daysLeft }: ChargedPlan,
  config: Pick<Config, 'provider'>,
): string {
  if (!can(config, 'charge_reminders') || paysInvoices(config)) return '';
  if (isTrial) return daysLeft > 3 ? 'We write to you 3 days before the trial ends.' : '';
  return (interval === 'yearly' || isAfterCredit) && daysLeft > 14
    ? 'We write to you 14 days before.'
    : '';
}
