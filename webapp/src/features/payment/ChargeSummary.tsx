import type { Config } from '@/api';
import { Steps } from '@/components/Steps';
import { SummaryPanel } from '@/components/SummaryPanel';
import { amountText, perInterval } from '@/modules/billing/amount-text';
import { HowToEnd } from '@/modules/billing/HowToEnd';
import { approvalTermsText } from '@/modules/billing/order-text';
import { reminderText } from '@/modules/billing/reminder-text';
import { SelectedPlanBanner } from '@/modules/billing/SelectedPlanBanner';
import { paysInvoices } from '@/modules/config/capabilities';
import { useConfig } from '@/modules/config/config-store';
import { chargeSteps, type QuotedPurchase } from './charge-steps';

/** The chosen plan and its charges with their dates. */
export function ChargeSummary(purchase: QuotedPurchase) {
  const config = useConfig();
  const { plan, priceRef, price } = purchase.offer;
  const steps = chargeSteps(purchase, config);
  const dueDays = purchase.quote?.approvalDueDays;
  const priceText = amountText(config, { amount: price.amount, currency: priceRef.currency });
  const [amount, text] =
    dueDays === undefined ? [steps[0].amount ?? '', 'today'] : ['', approvalTermsText(dueDays)];
  return (
    <SummaryPanel
      label="Your plan"
      heading={<SelectedPlanBanner displayName={plan.displayName} />}
      collapsedLine={[`${priceText} ${perInterval(priceRef.interval)}`, amount, text]}
    >
      <div className="border-line min-[56rem]:mt-5 min-[56rem]:border-t min-[56rem]:pt-5">
        <Steps steps={steps} large />
      </div>
      <HowToEnd>{renewalText(purchase, config)}</HowToEnd>
    </SummaryPanel>
  );
}

/** Returns the text about the renewal and the email before it. A trial needs only the email: a step has its renewal. */
function renewalText({ offer, trial }: QuotedPurchase, config: Config): string {
  const { interval } = offer.priceRef;
  if (trial && !paysInvoices(config)) {
    return reminderText({ interval, isTrial: true, daysLeft: trial.days }, config);
  }
  const reminder = reminderText(
    { interval, isTrial: false, daysLeft: Number.POSITIVE_INFINITY },
    config,
  );
  return `Renews ${interval === 'yearly' ? 'every year' : 'every month'} at this price. ${reminder}`;
}
