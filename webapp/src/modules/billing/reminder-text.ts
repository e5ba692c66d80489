import type { Config } from '@/api';
import { can, paysInvoices } from '@/modules/config/capabilities';

/** The plan whose next charge is announced. */
interface ChargedPlan {
  /** The interval of the period before the charge. */
  interval: string;
  /** The interval after the charge, if a scheduled change takes effect with it. */
  nextInterval?: string;
  isTrial: boolean;
  /** Whether the next charge is the first one after months that credit has paid. */
  isAfterCredit?: boolean;
  /** The days until the next charge. */
  daysLeft: number;
}

/** Returns how many days before the charge an email announces it, or 0 without an email. The server has the same rule. */
export function reminderDays({
  interval,
  nextInterval,
  isTrial,
  isAfterCredit = false,
}: Omit<ChargedPlan, 'daysLeft'>): number {
  if (isTrial) return 3;
  return interval === 'yearly' || nextInterval === 'yearly' || isAfterCredit ? 14 : 0;
}

/** Returns the sentence about the email that announces the next charge, or '' if no email will be sent before it. */
export function reminderText(
  { daysLeft, ...charge }: ChargedPlan,
  config: Pick<Config, 'provider'>,
): string {
  if (!can(config, 'charge_reminders') || paysInvoices(config)) return '';
  const days = reminderDays(charge);
  if (days === 0 || daysLeft <= days) return '';
  return `We write to you ${days} days before${charge.isTrial ? ' the trial ends' : ''}.`;
}
