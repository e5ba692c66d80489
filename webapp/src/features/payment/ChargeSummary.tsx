import { Card } from '@/components/Card';
import { SelectedPlanBanner } from '@/components/SelectedPlanBanner';
import { cx } from '@/lib/cx';
import { longDate } from '@/lib/dates';
import { type Offer, type Price, perInterval, priceText } from '@/lib/offer';
import type { Trial } from './trial';

interface ChargeSummaryProps {
  offer: Offer & { price: Price };
  trial: Trial | null;
  /** Whom to write to, to stop it. */
  contact: string;
}

/** What is subscribed to, and what is charged when. */
export function ChargeSummary({ offer: { plan, ref, price }, trial, contact }: ChargeSummaryProps) {
  return (
    <Card aria-label="What you pay" className="figures">
      <SelectedPlanBanner displayName={plan.displayName} />
      <p className="mt-5">{`${priceText(price)} ${perInterval(ref.interval)}`}</p>
      <dl className="mt-4 space-y-3 border-t border-line pt-4">
        {trial && (
          <Line label="Due today" detail={`${trial.days} days free`}>
            {priceText({ ...price, amount: 0 })}
          </Line>
        )}
        <Line label="Total due" detail={dueText(trial)} strong>
          {priceText(price)}
        </Line>
      </dl>
      <p className="mt-4 border-t border-line pt-4 text-sm text-muted">
        {`Renews ${ref.interval === 'yearly' ? 'every year' : 'every month'} at this price. To end it, write to `}
        <a href={`mailto:${contact}`} className="text-link">
          {contact}
        </a>
        .
      </p>
    </Card>
  );
}

function dueText(trial: Trial | null): string {
  if (!trial) return 'now';
  return trial.endsAt ? `on ${longDate(trial.endsAt)}` : 'when your trial ends';
}

interface LineProps {
  label: string;
  detail: string;
  strong?: boolean;
  children: string;
}

function Line({ label, detail, strong, children }: LineProps) {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-4">
      <dt className={cx('grow basis-24', strong ? 'font-semibold' : 'text-muted')}>
        {label} <span className="block text-sm font-normal text-muted">{detail}</span>
      </dt>
      <dd className={cx('whitespace-nowrap', strong && 'text-xl font-bold')}>{children}</dd>
    </div>
  );
}
