import type { Config, License } from '@/api';
import { paysInvoices } from '@/modules/config/capabilities';
import type { ScreenConfig } from '@/modules/config/config-store';
import { dateText, licensePlanName } from './plan-text';

/** Returns 'Your Professional plan has ended', without the name of an unknown plan. */
export function endedTitle(license: License, config: Config): string {
  const plan = licensePlanName(license, config);
  const outcome = hasNeverStarted(license) ? 'has not started' : 'has ended';
  return ['Your', plan, 'plan', outcome].filter(Boolean).join(' ');
}

/** Returns when and why a past license has ended; empty if the server reports neither. */
export function endedText({ ended_at, end_cause }: License, config: ScreenConfig): string {
  const onDate = ended_at ? ` on ${dateText(ended_at, config.timeZone)}` : '';
  switch (end_cause) {
    case 'requested':
      return `It was ended${onDate}, as your organisation requested.`;
    case 'unpaid':
      return `It ended${onDate}, because its last invoice was not paid.`;
    case 'never_started':
      return paysInvoices(config)
        ? 'The order was withdrawn, or was not approved in time.'
        : 'Its first payment was not made in time.';
    default:
      return onDate && `It ended${onDate}.`;
  }
}

/** Returns the label of the link to the plans below a past license, and the action that a member asks an owner for. */
export const nextPlanTexts = (license: License) =>
  hasNeverStarted(license)
    ? { label: 'Choose a plan', action: 'choose a plan' }
    : { label: 'Subscribe again', action: 'subscribe again' };

/** Whether a past license never started, so that it can't have used the trial. */
export const hasNeverStarted = ({ end_cause }: License): boolean => end_cause === 'never_started';
