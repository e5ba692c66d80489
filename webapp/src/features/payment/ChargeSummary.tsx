import type { Config, PriceQuote } from '@/api';
import { type ChargeStep, ChargeSteps } from '@/components/ChargeSteps';
import { SummaryPanel } from '@/components/SummaryPanel';
import { HowToEnd } from '@/modules/billing/HowToEnd';
import { amountText, type PricedOffer, perInterval } from '@/modules/billing/offer';
import { SelectedPlanBanner } from '@/modules/billing/SelectedPlanBanner';
import { taxText } from '@/modules/billing/tax-text';
import { useConfig } from '@/modules/config/config-store';
import { longDate } from '@/modules/session/dates';
import type { Trial } from './trial';

interface ChargeSummaryProps {
  offer: PricedOffer;
  trial: Trial | null;
  /** Null while it loads, and where the provider has none. */
  quote: PriceQuote | null;
}

/** The plan, and what is charged when. */
export function ChargeSummary(props: ChargeSummaryProps) {
  const config = useConfig();
  const { plan, ref } = props.offer;
  const steps = stepsOf(props, config);
  return (
    <SummaryPanel label="Your plan" line={[plan.displayName, `${steps[0].amount} today`]}>
      <SelectedPlanBanner displayName={plan.displayName} />
      <div className="mt-5 border-t border-line pt-5">
        <ChargeSteps steps={steps} />
      </div>
      <HowToEnd>
        {`Renews ${ref.interval === 'yearly' ? 'every year' : 'every month'} at this price.`}
      </HowToEnd>
    </SummaryPanel>
  );
}

/** What happens today, and the next charge. */
function stepsOf(
  { offer: { ref, price }, trial, quote }: ChargeSummaryProps,
  config: Config,
): [ChargeStep, ChargeStep] {
  const amount = (minor: number) => amountText(config, { amount: minor, currency: ref.currency });
  const tax = taxText(config.catalogue, ref.currency);
  const period = `for one ${ref.interval === 'yearly' ? 'year' : 'month'}${tax && `, includes ${tax}`}`;
  const byInvoice = config.provider.entry === 'invoice';
  const next = quote?.next;
  const chargedAt = next ? new Date(next.at) : trial?.endsAt;
  if (trial && !byInvoice) {
    return [
      {
        when: 'Today',
        what: `Your ${trial.days}-day free trial starts`,
        amount: amount(quote?.dueNow.amount ?? 0),
        status: 'now',
      },
      {
        when: chargedAt ? longDate(chargedAt) : 'When your trial ends',
        what: `First charge, ${period}`,
        amount: amount(next?.amount ?? price.amount),
      },
    ];
  }
  const first = byInvoice ? 'First invoice' : 'First charge';
  const time = trial ? `for the time after ${trial.days} days free` : period;
  return [
    {
      when: 'Today',
      what: `${first}, ${time}`,
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
