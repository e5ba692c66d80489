import { useQuery } from '@tanstack/react-query';
import type { License, OpenPayment, ProcessingPayment } from '@/api';
import { Badge } from '@/components/Badge';
import { buttonClass } from '@/components/Button';
import { Calendar } from '@/components/illustrations/ChairDrawings';
import { WaitingRoom } from '@/components/illustrations/WaitingRoom';
import { Notice } from '@/components/Notice';
import { IllustratedPanel } from '@/components/Panel';
import { routes } from '@/lib/paths';
import { amountText } from '@/modules/billing/amount-text';
import { endedText, endedTitle, hasNeverStarted } from '@/modules/billing/ended-text';
import { dateText } from '@/modules/billing/plan-text';
import { billingQuery } from '@/modules/billing/queries';
import { can, paysInvoices } from '@/modules/config/capabilities';
import { useConfig } from '@/modules/config/config-store';
import { OwedInvoiceNotice } from '@/modules/payments/OwedInvoiceNotice';
import { noPayableInvoiceText } from '@/modules/payments/open-payment-notices';
import { openPaymentOfKind } from '@/modules/payments/open-payment-text';
import { nextCharge } from '@/modules/payments/quote-text';
import { AppLink } from '@/modules/session/AppLink';
import { breakDates } from '@/modules/session/dates';
import { intervalText, licenseText } from './license-text';

interface LicenseCardProps {
  license: License;
  /** The open payment; null when there is none. */
  openPayment: OpenPayment | null;
  /** The payment that is processing, which has its own notice on the dashboard; null when there is none. */
  processingPayment: ProcessingPayment | null;
}

/** The current license: its plan, status and next charge. */
export function LicenseCard({ license, openPayment, processingPayment }: LicenseCardProps) {
  const config = useConfig();
  const payments = { openPayment, processingPayment };
  const { plan, label, tone, details } = licenseText(license, payments, config);
  return (
    <IllustratedPanel aria-labelledby="license" picture={<WaitingRoom className="w-72" />}>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h2 id="license" className="text-xl">
          {plan}
        </h2>
        <Badge tone={tone}>{label}</Badge>
      </div>
      {license.isDev && (
        <p className="mt-3 text-muted">
          This licence was granted to your organisation. Nothing is charged for it.
        </p>
      )}
      {license.raw.status === 'past_due' && !openPayment && !processingPayment && <OverdueNotice />}
      {details.length > 0 && (
        <dl className="figures mt-5 -mb-3 divide-y divide-line border-t border-line">
          {details.map((detail) => (
            <div key={detail.label} className="flex flex-wrap justify-between gap-x-6 py-3">
              <dt className="text-muted">{detail.label}</dt>
              {detail.isNextCharge && can(config, 'billing') ? (
                <NextCharge date={detail.text} />
              ) : (
                <dd className="ml-auto text-right font-semibold">{breakDates(detail.text)}</dd>
              )}
            </div>
          ))}
        </dl>
      )}
    </IllustratedPanel>
  );
}

/**
 * The amount and the date of the next charge that credit does not pay; only the date if the amount is unknown. On a phone
 * it has a line of its own, so that nothing moves when the amount is loaded.
 */
function NextCharge({ date }: { date: string }) {
  const config = useConfig();
  const { data, isPending } = useQuery(billingQuery);
  const next = data && nextCharge(data);
  return (
    <dd className="basis-full text-right font-semibold sm:basis-auto">
      {isPending && (
        <span
          aria-hidden
          className="mr-2 inline-block h-4 w-24 animate-pulse rounded-control bg-line align-middle"
        />
      )}
      {next && <span>{`${next.amount === 0 ? 'No charge' : amountText(config, next)} on `}</span>}
      <span>{breakDates(next && next !== data.next ? dateText(next.at) : date)}</span>
    </dd>
  );
}

/**
 * Says how to pay an overdue invoice, or that it can't be paid now. It is shown if no open payment is known, because then no
 * banner reports the invoice.
 */
function OverdueNotice() {
  const config = useConfig();
  const isInvoice = paysInvoices(config);
  if (!isInvoice && can(config, 'open_payments')) {
    return (
      <Notice tone="danger" live={false} className="mt-4" title="Your payment is overdue">
        <p>{noPayableInvoiceText}</p>
        <AppLink intoArea to={routes.contact} className="underline">
          Contact us
        </AppLink>
      </Notice>
    );
  }
  return (
    <Notice
      tone="danger"
      live={false}
      className="mt-4"
      title={isInvoice ? 'Your invoice is overdue' : 'Your last payment did not go through'}
    >
      <p>
        <AppLink intoArea to={isInvoice ? routes.pay : routes.cards} className="underline">
          {isInvoice ? 'See how to pay it' : 'Change your payment method'}
        </AppLink>{' '}
        to keep your plan.
      </p>
    </Notice>
  );
}

interface EndedLicenseCardProps extends LicenseCardProps {
  /** Whether a payment is disputed; the customer can't subscribe then, as a banner explains. */
  isOnHold: boolean;
}

/** A license that has ended, with its owed invoice or a link to the plans. */
export function EndedLicenseCard(props: EndedLicenseCardProps) {
  const config = useConfig();
  const { license, openPayment, processingPayment, isOnHold } = props;
  const owedPayment = openPaymentOfKind(openPayment, 'owed');
  const interval = intervalText(license);
  const isSettled = !owedPayment && !processingPayment;
  const canSubscribe = isSettled && !isOnHold;
  return (
    <IllustratedPanel aria-labelledby="ended" picture={<Calendar className="w-52" />}>
      <h2 id="ended" className="text-xl">
        {endedTitle(license, config)}
      </h2>
      <p className="mt-3 empty:hidden">{endedText(license, config)}</p>
      {!hasNeverStarted(license) && (
        <p className="mt-3 text-muted">
          {[
            interval && `It was billed ${interval}.`,
            isSettled && 'Nothing is charged any more.',
            canSubscribe && 'You can subscribe again at any time; the free trial was used.',
          ]
            .filter(Boolean)
            .join(' ')}
        </p>
      )}
      {owedPayment && <OwedInvoiceNotice payment={owedPayment} />}
      {canSubscribe && (
        <AppLink intoArea to={routes.plans} className={`${buttonClass()} mt-5`}>
          {hasNeverStarted(license) ? 'Choose a plan' : 'Subscribe again'}
        </AppLink>
      )}
    </IllustratedPanel>
  );
}
