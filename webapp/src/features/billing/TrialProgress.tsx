import type { BilledSubscription } from '@/api';
import { dateText } from '@/lib/plan-text';

const day = 24 * 60 * 60 * 1000;

interface TrialProgressProps {
  subscription: Pick<BilledSubscription, 'periodStart' | 'trialEnd'>;
  /** The server's time in milliseconds. */
  now: number;
}

/** The remaining part of the free trial. */
export function TrialProgress({ subscription, now }: TrialProgressProps) {
  const { periodStart, trialEnd } = subscription;
  if (!trialEnd) return null;
  const end = Date.parse(trialEnd);
  const left = Math.max(Math.ceil((end - now) / day), 0);
  const days = periodStart ? Math.round((end - Date.parse(periodStart)) / day) : null;
  const text = `${left} ${left === 1 ? 'day' : 'days'} left`;
  return (
    <div className="mt-4">
      <p className="flex flex-wrap justify-between gap-x-4 text-sm">
        <span className="font-semibold">{`Free trial: ${text}`}</span>
        <span className="text-muted">{`until ${dateText(trialEnd)}`}</span>
      </p>
      {days && (
        <progress
          aria-label="Free trial"
          aria-valuetext={text}
          value={Math.max(days - left, 0)}
          max={days}
          className="progress mt-2"
        />
      )}
    </div>
  );
}
