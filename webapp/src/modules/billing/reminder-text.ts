import type { Config } from '@/api';
import { can, paysInvoices } from '@/modules/config/capabilities';

/** The time between the reminder and the end of a trial. Shorter trials have no reminder. */
const trialReminderDays = 3;

/** The plan whose next charge is announced. */
interface ChargedPlan {
  interval: string;
  /** The length of the trial before the charge; 0 for none. */
  trialDays: number;
}

/** Returns the sentence about the email that announces the next charge; '' if none is sent. */
export function reminderText(
  { interval, trialDays }: ChargedPlan,
  config: Pick<Config, 'provider'>,
): string {
  if (!can(config, 'billing_emails') || paysInvoices(config)) return '';
  if (trialDays > trialReminderDays) return 'We write to you 3 days before the trial ends.';
  return trialDays === 0 && interval === 'yearly' ? 'We write to you 14 days before.' : '';
}
