import type { BilledSubscription } from '@/api';
import { dateText } from '@/modules/billing/plan-text';
import { useConfig } from '@/modules/config/config-store';

const dayMs = 24 * 60 * 60 * 1000;

interface PeriodProgressProps {
  subscription: Pick<BilledSubscription, 'status' | 'periodStart' | 'periodEnd' | 'trialEnd'>;
  /** The server's time in milliseconds. */
  now: number;
}

/** Shows how many days of the free trial or the paid period are used, and how many are left. */
export function PeriodProgress({ subscription, now }: PeriodProgressProps) {
  const { timeZone } = useConfig();
  const { status, periodStart, periodEnd, trialEnd } = subscription;
  const isTrial = status === 'trialing';
  const endAt = isTrial ? trialEnd : periodEnd;
  if (!endAt) return null;
  const end = Date.parse(endAt);
  const daysLeft = Math.max(Math.ceil((end - now) / dayMs), 0);
  const totalDays = periodStart ? Math.round((end - Date.parse(periodStart)) / dayMs) : null;
  const usedDays = totalDays && Math.max(totalDays - daysLeft, 0);
  const daysLeftText = `${daysLeft} ${daysLeft === 1 ? 'day' : 'days'} left`;
  const usedText = totalDays ? `${usedDays} of ${totalDays} days used` : '';
  return (
    <div className="figures mt-5 text-sm">
      <p className="flex flex-wrap justify-between gap-x-4">
        <span className="font-semibold">
          {isTrial ? `Free trial: ${daysLeftText}` : usedText || daysLeftText}
        </span>
        <span className="text-muted">{isTrial ? usedText : usedText && `${daysLeft} left`}</span>
      </p>
      {!!totalDays && (
        <progress
          aria-label={isTrial ? 'Free trial' : 'Billing period'}
          aria-valuetext={daysLeftText}
          value={usedDays ?? 0}
          max={totalDays}
          className="progress my-1.5"
        />
      )}
      <p className="flex flex-wrap justify-between gap-x-4 text-muted">
        <span>{periodStart && dateText(periodStart, timeZone)}</span>
        <span>
          {periodStart ? dateText(endAt, timeZone) : `until ${dateText(endAt, timeZone)}`}
        </span>
      </p>
    </div>
  );
}
