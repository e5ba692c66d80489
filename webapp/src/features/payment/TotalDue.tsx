import { ChargeLine } from '@/components/ChargeLine';
import { type PricedOffer, priceText } from '@/modules/billing/offer';
import { paysInvoices } from '@/modules/config/capabilities';
import { useConfig } from '@/modules/config/config-store';
import { expectedQuote } from '@/modules/payments/expected-quote';
import { QuotedCharge } from '@/modules/payments/QuotedCharge';
import type { useQuote } from '@/modules/payments/use-quote';
import { longDate } from '@/modules/session/dates';
import type { Trial } from './trial';

interface TotalDueProps {
  offer: PricedOffer;
  trial: Trial | null;
  quote: ReturnType<typeof useQuote>;
}

/** The amount due today, and the amount due when the trial ends or the plan renews. */
export function TotalDue({ offer, trial, quote }: TotalDueProps) {
  const config = useConfig();
  const isInvoiced = paysInvoices(config);
  const { amount } = offer.price;
  return (
    <section aria-label="What you pay" className="figures border-t border-line pt-4">
      {quote.state.status === 'off' ? (
        <CatalogueAmounts offer={offer} trial={trial} />
      ) : (
        <QuotedCharge
          state={quote.state}
          labels={isInvoiced ? invoiceLabels(trial) : cardLabels(trial)}
          placeholder={expectedQuote(
            {
              currency: offer.ref.currency,
              due: trial && !isInvoiced ? 0 : amount,
              next: amount,
            },
            config,
          )}
          retry={() => void quote.retry()}
        />
      )}
    </section>
  );
}

/** The amounts for a server without quotes. */
const CatalogueAmounts = ({ offer: { price }, trial }: Pick<TotalDueProps, 'offer' | 'trial'>) => (
  <dl className="space-y-3">
    <ChargeLine label="Total due today" strong>
      {priceText(trial ? { ...price, amount: 0 } : price)}
    </ChargeLine>
    {trial && (
      <ChargeLine
        label="Total due"
        detail={trial.endsAt ? `on ${longDate(trial.endsAt)}` : 'when your trial ends'}
      >
        {priceText(price)}
      </ChargeLine>
    )}
  </dl>
);

const cardLabels = (trial: Trial | null) => ({
  due: 'Total due today',
  next: trial ? 'Total due' : 'Next charge',
});

/** The labels for customers who pay invoices. The first invoice is issued immediately, even before a trial. */
const invoiceLabels = (trial: Trial | null) => ({
  due: 'First invoice',
  detail: trial ? `issued today, for the time after ${trial.days} days free` : 'issued today',
  next: 'Next invoice',
});
