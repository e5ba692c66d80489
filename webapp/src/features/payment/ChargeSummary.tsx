import type { Config, PriceQuote } from '@/api';
import { Card } from '@/components/Card';
import { type ChargeStep, ChargeSteps } from '@/components/ChargeSteps';
import { HowToEnd } from '@/components/HowToEnd';
import { ChevronDownIcon } from '@/components/icons';
import { SelectedPlanBanner } from '@/components/SelectedPlanBanner';
import { longDate } from '@/lib/dates';
import { type PricedOffer, perInterval, priceText, symbolText } from '@/lib/offer';
import { taxText } from '@/lib/tax-text';
import { useMedia } from '@/lib/use-media';
import type { Trial } from './trial';

interface ChargeSummaryProps {
  offer: PricedOffer;
  trial: Trial | null;
  /** Null while it loads, and where the provider has none. */
  quote: PriceQuote | null;
  config: Config;
}

/** The plan, and what is charged when; on a phone one line that opens. */
export function ChargeSummary(props: ChargeSummaryProps) {
  const wide = useMedia('(min-width: 56rem)');
  if (wide) {
    return (
      <Card aria-label="Your plan" className="figures">
        <Summary {...props} />
      </Card>
    );
  }
  const [first] = stepsOf(props);
  return (
    <details className="group figures rounded-card border border-line bg-surface">
      <summary className="flex min-h-14 flex-wrap items-center gap-x-3 px-4 py-2">
        <span className="font-semibold">{props.offer.plan.displayName}</span>
        <span className="ml-auto text-muted">{`${first.amount} today`}</span>
        <ChevronDownIcon size={16} className="group-open:rotate-180" />
      </summary>
      <div className="border-t border-line p-4">
        <Summary {...props} />
      </div>
    </details>
  );
}

function Summary({ config, ...props }: ChargeSummaryProps) {
  const { plan, ref, price } = props.offer;
  const tax = taxText(config.catalogue, ref.currency);
  return (
    <>
      <SelectedPlanBanner displayName={plan.displayName} />
      <p className="mt-3">{`${priceText(price)} ${perInterval(ref.interval)}`}</p>
      {tax && <p className="text-sm text-muted">{`includes ${tax}`}</p>}
      <div className="mt-5 border-t border-line pt-5">
        <ChargeSteps steps={stepsOf({ config, ...props })} />
      </div>
      <HowToEnd config={config}>
        {`Renews ${ref.interval === 'yearly' ? 'every year' : 'every month'} at this price.`}
      </HowToEnd>
    </>
  );
}

/** What happens today, and the next charge. */
function stepsOf({
  offer: { ref, price },
  trial,
  quote,
  config,
}: ChargeSummaryProps): [ChargeStep, ChargeStep] {
  const amount = (minor: number) => symbolText(config, { amount: minor, currency: ref.currency });
  const byInvoice = config.provider.entry === 'invoice';
  const next = quote?.next;
  const chargedAt = next ? new Date(next.at) : trial?.endsAt;
  if (trial && !byInvoice) {
    return [
      {
        when: 'Today',
        what: `Your ${trial.days}-day free trial starts`,
        amount: amount(0),
        status: 'now',
      },
      {
        when: chargedAt ? longDate(chargedAt) : 'When your trial ends',
        what: 'First charge',
        amount: amount(next?.amount ?? price.amount),
      },
    ];
  }
  const first = byInvoice ? 'First invoice' : 'First charge';
  return [
    {
      when: 'Today',
      what: trial ? `${first}, for the time after ${trial.days} days free` : first,
      amount: amount(quote?.dueNow.amount ?? price.amount),
      status: 'now',
    },
    {
      when: next ? longDate(new Date(next.at)) : perInterval(ref.interval).replace('per', 'Every'),
      what: byInvoice ? 'Next invoice' : 'Next charge',
      amount: amount(next?.amount ?? price.amount),
    },
  ];
}
