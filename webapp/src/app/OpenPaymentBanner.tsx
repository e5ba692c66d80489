import type { OpenPayment } from '@/api';
import { TriangleAlertIcon } from '@/components/icons';
import { cx } from '@/lib/cx';
import { routes } from '@/lib/paths';
import { amountText } from '@/modules/billing/amount-text';
import { changedPlanName, planName } from '@/modules/billing/plan-text';
import { paysInvoices } from '@/modules/config/capabilities';
import { type ScreenConfig, useConfig } from '@/modules/config/config-store';
import { approvalText } from '@/modules/payments/open-payment-text';
import { AppLink } from '@/modules/session/AppLink';
import { BillingRolesOnly } from '@/modules/session/BillingRolesOnly';

interface OpenPaymentBannerProps {
  payment: OpenPayment;
  /** The id of the current plan; undefined without one. */
  currentPlan?: string;
}

/** The banner about a payment that the organisation has to make or approve, with a link to the pay screen. */
export function OpenPaymentBanner({ payment, currentPlan }: OpenPaymentBannerProps) {
  const config = useConfig();
  const { text, link } = bannerText(payment, currentPlan, config);
  const isUnpaidInvoice =
    payment.kind === 'owed' || (payment.kind === 'overdue' && !payment.approval);
  return (
    <section
      aria-label="Open payment"
      className={cx(
        'flex flex-wrap items-center gap-x-3 rounded-control px-4 py-1 forced-colors:border',
        isUnpaidInvoice ? 'bg-danger-soft text-danger' : 'bg-attention-soft text-attention',
      )}
    >
      <TriangleAlertIcon className="hidden shrink-0 sm:block" />
      <p className="figures py-2">{text}</p>
      <BillingRolesOnly>
        <AppLink
          entersArea
          to={routes.pay}
          className="flex min-h-11 items-center font-semibold underline underline-offset-3"
        >
          {link}
        </AppLink>
      </BillingRolesOnly>
    </section>
  );
}

function bannerText(
  payment: OpenPayment,
  currentPlan: string | undefined,
  config: ScreenConfig,
): { text: string; link: string } {
  const amount = amountText(config, payment);
  const plan = planName(payment.priceId, config);
  const payLink = paysInvoices(config) ? 'See how to pay' : 'Pay now';
  switch (payment.kind) {
    case 'first_payment':
      return {
        text: `Your first payment of ${amount} for ${plan} has not been made yet.`,
        link: payLink,
      };
    case 'overdue':
      if (payment.approval) return { text: approvalText(payment, config), link: 'Approve it' };
      return { text: `A payment of ${amount} for ${plan} is overdue.`, link: payLink };
    case 'owed':
      return {
        text: `The last invoice of your ${plan} plan, ${amount}, is not paid.`,
        link: payLink,
      };
    case 'plan_change':
      return {
        text: `Your change to ${changedPlanName(payment.priceId, currentPlan, config)} waits for a payment of ${amount}.`,
        link: 'Pay or drop the change',
      };
    case 'authentication':
      return { text: 'Your bank has not approved your card yet.', link: 'Approve your card' };
  }
}
