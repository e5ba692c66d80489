import type { Config } from '@/api';
import { can, paysInvoices } from '@/modules/config/capabilities';

/** The plan whose next charge is announced. */
interface ChargedPlan {
  interval: string;
  isTrial: boolean;
  /** The days until the next charge. */
  daysLeft: number;
}

/** Returns the sentence about the email that announces the next charge, or '' if no email will be sent before it. */
export function reminderText(
  { interval, isTrial, daysLeft }: ChargedPlan,
  config: Pick<Config, 'provider'>,
): string {
  if (!can(config, 'charge_reminders') || paysInvoices(config)) return '';
  if (isTrial) return daysLeft > 3 ? 'We write to you 3 days before the trial ends.' : '';
  return interval === 'yearly' && daysLeft > 14 ? 'We write to you 14 days before.' : '';
}
