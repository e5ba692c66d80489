import { ChargeLine } from '@/components/ChargeLine';
import { amountText, priceText, symbolText } from '@/modules/billing/amount-text';
import type { PricedOffer } from '@/modules/billing/offer';
import { approvalTermsText } from '@/modules/billing/order-text';
import { taxRateText } from '@/modules/billing/tax-text';
import { paysInvoices } from '@/modules/config/capabilities';
import { type ScreenConfig, useConfig } from '@/modules/config/config-store';
import { placeholderQuote } from '@/modules/payments/placeholder-quote';
import { QuotedCharge } from '@/modules/payments/QuotedCharge';
import { nextCharge, quoteFormat } from '@/modules/payments/quote-text';
import type { useQuote } from '@/modules/payments/use-quote';
import { longDate, type TimeZone } from '@/modules/session/dates';
import type { Trial } from './trial';

interface TotalDueProps {
  offer: PricedOffer;
  trial: Trial | null;
  quote: ReturnType<typeof useQuote>;
}

/** The amount due when the trial ends, or without a trial the amount due today and the next charge. */
export function TotalDue({ offer, trial, quote }: TotalDueProps) {
  const config = useConfig();
  const isInvoiced = paysInvoices(config);
  const { amount } = offer.price;
  const subject = `${offer.plan.displayName}, ${offer.priceRef.interval}`;
  const taxRate = taxRateText(config.catalogue, offer.priceRef.currency);
  const tax = taxRate && `includes ${taxRate}`;
  const dueDays = quote.state.status === 'ready' ? quote.state.quote.approvalDueDays : undefined;
  return (
    <section aria-label="What you pay" className="figures border-t border-line pt-4">
      {quote.state.status === 'off' ? (
        <CatalogueAmounts
          {...{ subject, tax }}
          label={trial ? 'Total due' : 'Total due today'}
          detail={trial ? chargeDateText(trial, config.timeZone) : undefined}
          price={priceText(config, offer.price)}
        />
      ) : (
        <QuotedCharge
          state={quote.state}
          labels={isInvoiced ? invoiceLabels(trial, dueDays) : cardLabels(trial)}
          hasNext={dueDays === undefined}
          subject={subject}
          nextTax={tax}
          size="medium"
          emphasis={trial && !isInvoiced ? 'next' : 'due'}
          placeholder={placeholderQuote(
            {
              currency: offer.priceRef.currency,
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

interface CatalogueAmountsProps {
  label: string;
  detail: string | undefined;
  price: string;
  subject: string;
  tax: string;
}

/** The amounts for a server without quotes. */
const CatalogueAmounts = ({ price, ...labels }: CatalogueAmountsProps) => (
  <dl className="space-y-3">
    <ChargeLine strong size="medium" {...labels}>
      {price}
    </ChargeLine>
  </dl>
);

/**
 * Returns the amounts that the customer pays today and when the trial ends, '$0 today, $816 AUD on 28 November 2026';
 * empty while the quote loads or after it failed.
 */
export function paymentText(
  { offer, trial, quote: { state } }: TotalDueProps,
  config: ScreenConfig,
): string {
  const today = paysInvoices(config) ? 'invoiced today' : 'today';
  if (state.status === 'ready') {
    const { dueNow, approvalDueDays } = state.quote;
    const next = nextCharge(state.quote);
    const format = quoteFormat(state.quote, state.previousQuote, config);
    if (approvalDueDays !== undefined) {
      return `${format.amountText(dueNow)}, ${approvalTermsText(approvalDueDays)}`;
    }
    return dueNow.amount === 0 && next && next.amount > 0
      ? `${format.symbolText(dueNow)} today, ${format.amountText(next)} on ${longDate(new Date(next.at), config.timeZone)}`
      : `${format.amountText(dueNow)} ${today}`;
  }
  if (state.status !== 'off') return '';
  const price = { amount: offer.price.amount, currency: offer.priceRef.currency };
  return trial && !paysInvoices(config)
    ? `${symbolText(config, { ...price, amount: 0 })} today, ${amountText(config, price)} ${chargeDateText(trial, config.timeZone)}`
    : `${amountText(config, price)} ${today}`;
}

const chargeDateText = ({ endsAt }: Trial, timeZone: TimeZone): string =>
  endsAt ? `on ${longDate(endsAt, timeZone)}` : 'when your trial ends';

const cardLabels = (trial: Trial | null) => ({
  due: 'Total due today',
  next: trial ? 'Total due' : 'Next charge',
});

/**
 * Returns the labels for customers who pay invoices. The first invoice is issued immediately, even before a trial. If the
 * order has to be approved, the invoice is due `approvalDueDays` after the approval.
 */
function invoiceLabels(trial: Trial | null, approvalDueDays: number | undefined) {
  const issue = approvalDueDays === undefined ? 'issued today' : approvalTermsText(approvalDueDays);
  return {
    due: 'First invoice',
    detail: trial ? `${issue}, for the time after ${trial.days} days free` : issue,
    next: 'Next invoice',
  };
}
