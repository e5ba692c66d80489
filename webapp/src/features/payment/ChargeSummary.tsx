import type { Config, PriceQuote } from '@/api';
import { type Step, Steps } from '@/components/Steps';
import { SummaryPanel } from '@/components/SummaryPanel';
import { blockFormat, perInterval, priceText } from '@/modules/billing/amount-text';
import { HowToEnd } from '@/modules/billing/HowToEnd';
import type { PricedOffer } from '@/modules/billing/offer';
import { approvalTermsText } from '@/modules/billing/order-text';
import { reminderText } from '@/modules/billing/reminder-text';
import { SelectedPlanBanner } from '@/modules/billing/SelectedPlanBanner';
import { taxRateText } from '@/modules/billing/tax-text';
import { paysInvoices } from '@/modules/config/capabilities';
import { useConfig } from '@/modules/config/config-store';
import { nextCharge } from '@/modules/payments/quote-text';
import { longDate } from '@/modules/session/dates';
import type { Trial } from './trial';

interface ChargeSummaryProps {
  offer: PricedOffer;
  trial: Trial | null;
  /** Whether a failed attempt to subscribe has started the trial. */
  hasTrialStarted: boolean;
  /** Null while it loads, and for a server without quotes. */
  quote: PriceQuote | null;
}

/** The chosen plan and its charges with their dates. */
export function ChargeSummary(props: ChargeSummaryProps) {
  const config = useConfig();
  const { quote } = props;
  const { plan, priceRef } = props.offer;
  const { interval } = priceRef;
  const reminder = reminderText(
    props.trial
      ? { interval, isTrial: true, daysLeft: props.trial.days }
      : { interval, isTrial: false, daysLeft: Number.POSITIVE_INFINITY },
    config,
  );
  const steps = chargeSteps(props, config);
  return (
    <SummaryPanel
      label="Your plan"
      heading={<SelectedPlanBanner displayName={plan.displayName} />}
      collapsedLine={[
        `${priceText(props.offer.price)} ${perInterval(interval)}`,
        quote?.approvalDueDays === undefined
          ? `${steps[0].amount} today`
          : approvalTermsText(quote.approvalDueDays),
      ]}
    >
      <div className="mt-5 border-t border-line pt-5">
        <Steps steps={steps} />
      </div>
      <HowToEnd>
        {`Renews ${priceRef.interval === 'yearly' ? 'every year' : 'every month'} at this price. ${reminder}`}
      </HowToEnd>
    </SummaryPanel>
  );
}

/** Returns the step of today and the step of the next charge. */
function chargeSteps(props: ChargeSummaryProps, config: Config): [Step, Step] {
  const { offer, trial } = props;
  const interval = offer.priceRef.interval === 'yearly' ? 'year' : 'month';
  const tax = taxRateText(config.catalogue, offer.priceRef.currency);
  const periodText = `for one ${interval}${tax && `, includes ${tax}`}`;
  if (paysInvoices(config)) {
    const timeText = trial ? `for the time after ${trial.days} days free` : periodText;
    if (props.quote?.approvalDueDays !== undefined) {
      return orderSteps(props.quote, props.quote.approvalDueDays, timeText, config);
    }
    return immediateChargeSteps(props, config, `First invoice, ${timeText}`, 'Next invoice');
  }
  return trial
    ? trialSteps({ ...props, trial }, config, periodText)
    : immediateChargeSteps(props, config, `First charge, ${periodText}`, 'Next charge');
}

/** Returns the steps of an order, which has no dates until it is approved. */
function orderSteps(
  { dueNow }: PriceQuote,
  dueDays: number,
  timeText: string,
  config: Config,
): [Step, Step] {
  const { amountText } = blockFormat(config, [dueNow]);
  return [
    {
      title: 'After your order',
      text: 'We check it. Your plan starts with the approval.',
      amount: '',
      status: 'current',
    },
    {
      title: `Invoice after approval, due ${dueDays} days later`,
      text: `First invoice, ${timeText}`,
      amount: amountText(dueNow),
    },
  ];
}

/** Returns the steps of a subscription that starts with a trial and is charged after it. */
function trialSteps(
  { offer, trial, hasTrialStarted, quote }: ChargeSummaryProps & { trial: Trial },
  config: Config,
  periodText: string,
): [Step, Step] {
  const { currency } = offer.priceRef;
  const dueNow = quote?.dueNow ?? { amount: 0, currency };
  const firstCharge = quote && nextCharge(quote);
  const next = firstCharge ?? { amount: offer.price.amount, currency };
  const { amountText } = blockFormat(config, [dueNow, next]);
  const chargedAt = firstCharge ? new Date(firstCharge.at) : trial.endsAt;
  return [
    {
      title: 'Today',
      text: `Your ${trial.days}-day free trial ${hasTrialStarted ? 'has started' : 'starts'}`,
      amount: amountText(dueNow),
      status: 'current',
    },
    {
      title: chargedAt ? longDate(chargedAt) : 'When your trial ends',
      text: `First charge, ${periodText}`,
      amount: next.amount === 0 ? 'No charge' : amountText(next),
    },
  ];
}

/** Returns the steps of a subscription that is charged or invoiced immediately. */
function immediateChargeSteps(
  { offer: { priceRef, price }, quote }: ChargeSummaryProps,
  config: Config,
  firstText: string,
  nextText: string,
): [Step, Step] {
  const listPrice = { amount: price.amount, currency: priceRef.currency };
  const next = quote && nextCharge(quote);
  const dueNow = quote?.dueNow ?? listPrice;
  const { amountText } = blockFormat(config, [dueNow, next ?? listPrice]);
  return [
    {
      title: 'Today',
      text: firstText,
      amount: amountText(dueNow),
      status: 'current',
    },
    {
      title: next
        ? longDate(new Date(next.at))
        : perInterval(priceRef.interval).replace('per', 'Every'),
      text: nextText,
      amount: next?.amount === 0 ? 'No charge' : amountText(next ?? listPrice),
    },
  ];
}
