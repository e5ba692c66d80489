import type { Config } from '@/api';
import { Card } from '@/components/Card';
import { ChargeLine } from '@/components/ChargeLine';
import { HowToEnd } from '@/components/HowToEnd';
import { QuotedCharge } from '@/components/QuotedCharge';
import { SelectedPlanBanner } from '@/components/SelectedPlanBanner';
import { longDate } from '@/lib/dates';
import { type PricedOffer, perInterval, priceText } from '@/lib/offer';
import type { useQuote } from '@/lib/payment/use-quote';
import { taxText } from '@/lib/tax-text';
import type { Trial } from './trial';

interface ChargeSummaryProps {
  offer: PricedOffer;
  trial: Trial | null;
  quote: ReturnType<typeof useQuote>;
  config: Config;
}

/** The plan, and the charges with their dates. */
export function ChargeSummary({ offer, trial, quote, config }: ChargeSummaryProps) {
  const { plan, ref, price } = offer;
  const tax = taxText(config.catalogue, ref.currency);
  const free = trial ? `${trial.days} days free` : '';
  return (
    <Card aria-label="What you pay" className="figures">
      <SelectedPlanBanner displayName={plan.displayName} />
      <p className="mt-5">{`${priceText(price)} ${perInterval(ref.interval)}`}</p>
      {tax && <p className="text-sm text-muted">{`includes ${tax}`}</p>}
      <div className="mt-4 border-t border-line pt-4">
        {quote.state.status === 'off' ? (
          <dl className="space-y-3">
            {trial && (
              <ChargeLine label="Due today" detail={free}>
                {priceText({ ...price, amount: 0 })}
              </ChargeLine>
            )}
            <ChargeLine label="Total due" detail={dueText(trial)} strong>
              {priceText(price)}
            </ChargeLine>
          </dl>
        ) : (
          <QuotedCharge
            state={quote.state}
            config={config}
            {...quoteLabels(trial, config.provider.entry === 'invoice')}
            retry={() => void quote.retry()}
          />
        )}
      </div>
      <HowToEnd config={config}>
        {`Renews ${ref.interval === 'yearly' ? 'every year' : 'every month'} at this price.`}
      </HowToEnd>
    </Card>
  );
}

/**
 * The labels of the quoted amounts. The first invoice is issued at once, also for the time after a
 * trial; a card is charged when the trial ends.
 */
function quoteLabels(trial: Trial | null, byInvoice: boolean) {
  if (byInvoice) {
    const detail = trial
      ? `issued today, for the time after ${trial.days} days free`
      : 'issued today';
    return {
      labels: { due: 'First invoice', detail, next: 'Next invoice' },
      strong: 'due',
    } as const;
  }
  return trial
    ? ({
        labels: { due: 'Due today', detail: `${trial.days} days free`, next: 'Total due' },
        strong: 'next',
      } as const)
    : ({
        labels: { due: 'Total due', detail: 'now', next: 'Next charge' },
        strong: 'due',
      } as const);
}

function dueText(trial: Trial | null): string {
  if (!trial) return 'now';
  return trial.endsAt ? `on ${longDate(trial.endsAt)}` : 'when your trial ends';
}
