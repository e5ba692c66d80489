import type { Config } from '@/api';
import { ChargeLine } from '@/components/ChargeLine';
import { QuotedCharge } from '@/components/QuotedCharge';
import { useConfig } from '@/lib/config-store';
import { longDate } from '@/lib/dates';
import { amountText, type PricedOffer, priceText } from '@/lib/offer';
import type { QuoteState, useQuote } from '@/lib/payment/use-quote';
import { formatAmount } from '@/rules/money';
import type { Trial } from './trial';

interface TotalDueProps {
  offer: PricedOffer;
  trial: Trial | null;
  quote: ReturnType<typeof useQuote>;
}

/** The total that is due now or when the trial ends, above the button. */
export const TotalDue = ({ offer, trial, quote }: TotalDueProps) => {
  const config = useConfig();
  return (
    <section aria-label="What you pay" className="figures border-t border-line pt-4">
      {quote.state.status === 'off' ? (
        <dl>
          <ChargeLine label="Total due" detail={dueDetail(trial)} strong>
            {priceText(offer.price)}
          </ChargeLine>
        </dl>
      ) : (
        <QuotedCharge
          state={quote.state}
          {...quoteLabels(trial, config.provider.entry === 'invoice')}
          retry={() => void quote.retry()}
        />
      )}
    </section>
  );
};

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
    ? ({ labels: { next: 'Total due' }, strong: 'next', height: 'h-13.5' } as const)
    : ({
        labels: { due: 'Total due', detail: 'now', next: 'Next charge' },
        strong: 'due',
      } as const);
}

const dueDetail = (trial: Trial | null): string => {
  if (!trial) return 'now';
  return trial.endsAt ? `on ${longDate(trial.endsAt)}` : 'when your trial ends';
};

/** What the button does: '$0 today, $816 AUD on 28 November 2026'; empty until the amount is known. */
export function effectText(
  { price }: PricedOffer,
  trial: Trial | null,
  quote: QuoteState,
  config: Config,
): string {
  if (quote.status !== 'off' && quote.status !== 'ready') return '';
  const quoted = quote.status === 'ready' ? quote.quote : null;
  if (!trial) return `${quoted ? amountText(config, quoted.dueNow) : priceText(price)} now`;
  const next = quoted?.next;
  const total = next ? amountText(config, next) : priceText(price);
  const endsAt = next ? new Date(next.at) : trial.endsAt;
  return `${formatAmount(0, price.currency)} today, ${total} ${dueDetail({ ...trial, endsAt })}`;
}
