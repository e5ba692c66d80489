import type { BilledSubscription } from '@/api';
import { dateText } from '@/modules/billing/plan-text';

const day = 24 * 60 * 60 * 1000;

interface PeriodProgressProps {
  subscription: Pick<BilledSubscription, 'status' | 'periodStart' | 'periodEnd' | 'trialEnd'>;
  /** The server's time in milliseconds. */
  now: number;
}

/** The current day of the free trial or the paid period, and how many are left. */
export function PeriodProgress({ subscription, now }: PeriodProgressProps) {
  const { status, periodStart, periodEnd, trialEnd } = subscription;
  const isTrial = status === 'trialing';
  const endAt = isTrial ? trialEnd : periodEnd;
  if (!endAt) return null;
  const end = Date.parse(endAt);
  const left = Math.max(Math.ceil((end - now) / day), 0);
  const days = periodStart ? Math.round((end - Date.parse(periodStart)) / day) : null;
  const current = days && Math.min(Math.max(days - left + 1, 1), days);
  const leftText = `${left} ${left === 1 ? 'day' : 'days'} left`;
  const currentText = days ? `Day ${current} of ${days}` : '';
  return (
    <div className="figures mt-5 text-sm">
      <p className="flex flex-wrap justify-between gap-x-4">
        <span className="font-semibold">
          {isTrial ? `Free trial: ${leftText}` : currentText || leftText}
        </span>
        <span className="text-muted">{isTrial ? currentText : currentText && leftText}</span>
      </p>
      {days && (
        <progress
          aria-label={isTrial ? 'Free trial' : 'Billing period'}
          aria-valuetext={leftText}
          value={current ?? 0}
          max={days}
          className="progress my-1.5"
        />
      )}
      <p className="flex flex-wrap justify-between gap-x-4 text-muted">
        <span>{periodStart && dateText(periodStart)}</span>
        <span>{periodStart ? dateText(endAt) : `until ${dateText(endAt)}`}</span>
      </p>
    </div>
  );
}
