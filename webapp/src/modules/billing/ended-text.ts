import type { Config, License } from '@/api';
import { paysInvoices } from '@/modules/config/capabilities';
import { dateText, licensedPlan } from './plan-text';

/** 'Your Professional plan has ended'. */
export function endedTitle(license: License, config: Config): string {
  const plan = licensedPlan(license, config);
  const end = neverStarted(license) ? 'has not started' : 'has ended';
  return ['Your', plan, 'plan', end].filter(Boolean).join(' ');
}

/** When and why a past license has ended; empty if a back end reports neither. */
export function endedText({ ended_at, end_cause }: License, config: Config): string {
  const on = ended_at ? ` on ${dateText(ended_at)}` : '';
  switch (end_cause) {
    case 'requested':
      return `It was ended${on}, as your organisation requested.`;
    case 'unpaid':
      return `It ended${on}, because its last bill was not paid.`;
    case 'never_started':
      return paysInvoices(config)
        ? 'The order was withdrawn, or was not approved in time.'
        : 'Its first payment was not made in time.';
    default:
      return on && `It ended${on}.`;
  }
}

/** Whether a past license never started, so that it can't have used the trial. */
export const neverStarted = ({ end_cause }: License): boolean => end_cause === 'never_started';
