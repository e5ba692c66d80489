import type { PriceQuote } from '@/api';
import { useConfig } from '@/lib/config-store';
import { longDate } from '@/lib/dates';
import { taxName } from '@/lib/invoice-text';
import { amountText } from '@/lib/offer';
import type { QuoteState } from '@/lib/payment/use-quote';
import { changedText, creditText, dueRows } from '@/lib/quote-text';
import { Button } from './Button';
import { ChargeLine } from './ChargeLine';
import { Skeleton } from './Loading';
import { Notice } from './Notice';

interface QuotedChargeProps {
  state: Exclude<QuoteState, { status: 'off' }>;
  /**
   * The labels of the amounts; the detail of `due` is shown under its label. Without a label for `due`, an amount
   * of zero is omitted.
   */
  labels: { due?: string; detail?: string; next: string };
  /** The amount that is emphasised. */
  strong: 'due' | 'next';
  /** The class of the height while the amounts load: that of the amounts, so that nothing moves. */
  height?: string;
  /** Requests the quote again after a failure; undefined where that changes nothing. */
  retry?: () => void;
}

/** The amount due now with its lines, the next charge, and the remaining credit. */
export function QuotedCharge({ state, height = 'h-34', retry, ...amounts }: QuotedChargeProps) {
  switch (state.status) {
    case 'loading':
      return <Placeholder height={height} />;
    case 'failed':
      return <Failed message={state.message} retry={retry} />;
    case 'ready':
      return <Amounts quote={state.quote} before={state.before} {...amounts} />;
  }
}

interface AmountsProps extends Omit<QuotedChargeProps, 'state' | 'height' | 'retry'> {
  quote: PriceQuote;
  /** The quote that was shown before, if its amounts differ. */
  before: PriceQuote | null;
}

function Amounts({ quote, before, labels, strong }: AmountsProps) {
  const config = useConfig();
  const { dueNow, next, tax, creditAfter } = quote;
  const credit = creditText(creditAfter, config);
  const rows = dueNow.amount === 0 && next && strong === 'next' ? [] : dueRows(quote, config);
  return (
    <>
      <p role="status" className="mb-3 font-semibold empty:hidden">
        {before && `The amounts have changed meanwhile. ${changedText(quote, before, config)}`}
      </p>
      <dl className="space-y-3">
        {rows.map(([label, amount]) => (
          <ChargeLine key={`${label} ${amount}`} label={label}>
            {amount}
          </ChargeLine>
        ))}
        {(labels.due || dueNow.amount > 0) && (
          <ChargeLine
            sum
            label={labels.due ?? 'Due now'}
            detail={labels.detail}
            strong={strong === 'due'}
          >
            {amountText(config, dueNow)}
          </ChargeLine>
        )}
        {tax.amount > 0 && dueNow.amount > 0 && (
          <ChargeLine label={`Includes ${taxName(tax, config)}`}>
            {amountText(config, tax)}
          </ChargeLine>
        )}
        {next && (next.amount > 0 || strong === 'next') && (
          <ChargeLine
            label={labels.next}
            detail={`on ${longDate(new Date(next.at))}`}
            strong={strong === 'next'}
          >
            {amountText(config, next)}
          </ChargeLine>
        )}
      </dl>
      {credit && <p className="mt-3 text-sm text-muted">{credit}</p>}
    </>
  );
}

const Placeholder = ({ height }: { height: string }) => (
  <div role="status">
    <span className="sr-only">Loading the amount...</span>
    <Skeleton className={height} />
  </div>
);

const Failed = ({ message, retry }: { message: string; retry?: () => void }) => (
  <Notice tone="danger" title="The amount could not be computed">
    <p>{message || 'Nothing was charged. Please try again later.'}</p>
    {retry && (
      <Button look="secondary" className="mt-3" onClick={retry}>
        Try again
      </Button>
    )}
  </Notice>
);
