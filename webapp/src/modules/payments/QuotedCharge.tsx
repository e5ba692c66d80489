import type { PriceQuote } from '@/api';
import { Button } from '@/components/Button';
import { ChargeLine } from '@/components/ChargeLine';
import { Notice } from '@/components/Notice';
import { cx } from '@/lib/cx';
import { taxName } from '@/modules/billing/invoice-text';
import { useConfig } from '@/modules/config/config-store';
import { longDate } from '@/modules/session/dates';
import { creditText, dueRows, nextCharge, quoteChangeText, quoteFormat } from './quote-text';
import type { QuoteState } from './use-quote';

interface QuotedChargeProps {
  state: Exclude<QuoteState, { status: 'off' }>;
  /** The labels of the amounts; the detail of `due` is shown under its label. */
  labels: { due: string; detail?: string; next: string };
  /** The amount that is emphasised, by default `due`. With `next`, the row for the amount due is hidden if it is zero. */
  emphasis?: 'due' | 'next';
  /** What is charged, shown at the emphasised amount. */
  subject?: string;
  /** The tax that the next charge includes, shown at the emphasised amount. */
  nextTax?: string;
  /** The size of the emphasised amount; by default `large`. */
  size?: 'medium' | 'large';
  /** Whether the next charge has a date. An order has none until it is approved. */
  hasNext?: boolean;
  /** The placeholder from `placeholderQuote`. Its rows reserve the space while the quote loads. */
  placeholder: PriceQuote;
  /** Requests the quote again after a failure; undefined if a retry can't succeed. */
  retry?: () => void;
}

/** Shows the lines of a quote, the amount due now, the next charge and the remaining credit. */
export function QuotedCharge({ state, placeholder, retry, ...amountsProps }: QuotedChargeProps) {
  switch (state.status) {
    case 'loading':
      return (
        <div role="status" data-loading>
          <span className="sr-only">Loading the amount...</span>
          <div aria-hidden>
            <Amounts quote={placeholder} previousQuote={null} loading {...amountsProps} />
          </div>
        </div>
      );
    case 'failed':
      return <QuoteFailure message={state.message} retry={retry} />;
    case 'ready':
      return <Amounts quote={state.quote} previousQuote={state.previousQuote} {...amountsProps} />;
  }
}

interface AmountsProps extends Omit<QuotedChargeProps, 'state' | 'placeholder' | 'retry'> {
  quote: PriceQuote;
  /** The quote that was shown before, if its amounts differ. */
  previousQuote: PriceQuote | null;
  /** Whether the quote is loading; its lines are then invisible and only keep their place. */
  loading?: boolean;
}

function Amounts({
  quote,
  previousQuote,
  labels,
  emphasis = 'due',
  subject,
  nextTax,
  size,
  hasNext = true,
  loading = false,
}: AmountsProps) {
  const config = useConfig();
  const { dueNow, tax, creditBefore, creditAfter } = quote;
  const next = nextCharge(quote);
  const format = quoteFormat(quote, previousQuote, config);
  // If there was no credit before, a row of the quote already shows the credit that the charge creates.
  const credit = creditBefore.amount === 0 ? null : creditText(creditAfter, config, { format });
  const isNextStrong = emphasis === 'next' && dueNow.amount === 0;
  return (
    <>
      <p role="status" className="mb-3 font-semibold empty:hidden">
        {previousQuote &&
          `The amounts have changed meanwhile. ${quoteChangeText(quote, previousQuote, config)}`}
      </p>
      <dl className="space-y-3">
        {dueRows(quote, format, config.timeZone).map(([label, amount]) => (
          <ChargeLine key={`${label} ${amount}`} label={label} loading={loading}>
            {amount}
          </ChargeLine>
        ))}
        {(emphasis === 'due' || dueNow.amount > 0) && (
          <ChargeLine
            total
            label={labels.due}
            detail={labels.detail}
            strong
            {...{ subject, size, loading }}
          >
            {format.amountText(dueNow)}
          </ChargeLine>
        )}
        {tax.amount > 0 && dueNow.amount > 0 && (
          <ChargeLine label={`Includes ${taxName(tax, config)}`} loading={loading}>
            {format.amountText(tax)}
          </ChargeLine>
        )}
        {hasNext && next && (next.amount > 0 || dueNow.amount === 0) && (
          <ChargeLine
            label={labels.next}
            detail={`on ${longDate(new Date(next.at), config.timeZone)}`}
            strong={isNextStrong}
            {...(isNextStrong && next.amount > 0 && { subject, tax: nextTax })}
            {...{ size, loading }}
          >
            {next.amount === 0 ? 'No charge' : format.amountText(next)}
          </ChargeLine>
        )}
      </dl>
      {credit && <p className={cx('mt-3 text-sm text-muted', loading && 'invisible')}>{credit}</p>}
    </>
  );
}

const QuoteFailure = ({ message, retry }: { message: string; retry?: () => void }) => (
  <Notice tone="danger" title="The amount could not be computed">
    <p>{message || 'Please try again later.'}</p>
    {retry && (
      <Button variant="secondary" className="mt-3" onClick={retry}>
        Try again
      </Button>
    )}
  </Notice>
);
