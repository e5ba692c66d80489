import type { License, OpenPayment } from '@/api';
import { Badge } from '@/components/Badge';
import { buttonClass } from '@/components/Button';
import { Calendar } from '@/components/illustrations/Seats';
import { WaitingRoom } from '@/components/illustrations/WaitingRoom';
import { Notice } from '@/components/Notice';
import { IllustratedSheet } from '@/components/Sheet';
import { routes } from '@/lib/paths';
import { endedText, endedTitle, neverStarted } from '@/modules/billing/ended-text';
import { paysInvoices } from '@/modules/config/capabilities';
import { useConfig } from '@/modules/config/config-store';
import { OwedBill } from '@/modules/payments/OwedBill';
import { openOfKind } from '@/modules/payments/open-payment-text';
import { AppLink } from '@/modules/session/AppLink';
import { billedText, licenseText } from './license-text';

interface LicenseCardProps {
  license: License;
  /** The open payment; null when there is none. */
  openPayment: OpenPayment | null;
  /** Whether a payment is on its way, which the dashboard reports. */
  isPaying: boolean;
}

/** The current license: its plan, status and next payment. */
export function LicenseCard({ license, openPayment, isPaying }: LicenseCardProps) {
  const config = useConfig();
  const { plan, status, tone, facts } = licenseText(license, openPayment, config);
  return (
    <IllustratedSheet aria-labelledby="license" picture={<WaitingRoom className="w-72" />}>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h2 id="license" className="text-xl">
          {plan}
        </h2>
        <Badge tone={tone}>{status}</Badge>
      </div>
      {license.isDev && (
        <p className="mt-3 text-muted">
          This licence was granted to your organisation. Nothing is charged for it.
        </p>
      )}
      {license.raw.status === 'past_due' && !isPaying && <Overdue open={openPayment} />}
      {facts.length > 0 && (
        <dl className="figures mt-5 -mb-3 divide-y divide-line border-t border-line">
          {facts.map(([label, text]) => (
            <div key={label} className="flex flex-wrap justify-between gap-x-6 py-3">
              <dt className="text-muted">{label}</dt>
              <dd className="font-semibold">{text}</dd>
            </div>
          ))}
        </dl>
      )}
    </IllustratedSheet>
  );
}

interface OverdueProps {
  /** The payment, if it can be made on the pay screen. */
  open: OpenPayment | null;
}

/** What is to be done about the last payment: approve, transfer or pay it. */
function Overdue({ open }: OverdueProps) {
  const config = useConfig();
  if (open?.approval) {
    return (
      <Notice
        tone="attention"
        live={false}
        className="mt-4"
        title="Your bank wants you to approve your last payment"
      >
        <p>
          <AppLink intoArea to={routes.pay} className="underline">
            Approve it
          </AppLink>{' '}
          to keep your plan.
        </p>
      </Notice>
    );
  }
  if (paysInvoices(config)) {
    return (
      <Notice tone="danger" live={false} className="mt-4" title="Your invoice is overdue">
        <p>
          <AppLink intoArea to={routes.pay} className="underline">
            See how to pay it
          </AppLink>{' '}
          to keep your plan.
        </p>
      </Notice>
    );
  }
  return (
    <Notice
      tone="danger"
      live={false}
      className="mt-4"
      title="Your last payment did not go through"
    >
      <p>
        We will try again over the next days.{' '}
        <AppLink intoArea to={open ? routes.pay : routes.cards} className="underline">
          {open ? 'Pay now' : 'Add another card'}
        </AppLink>{' '}
        to keep your plan.
      </p>
    </Notice>
  );
}

interface EndedLicenseCardProps extends LicenseCardProps {
  /** Whether a payment is disputed, so that nothing can be bought; the banner says so. */
  onHold: boolean;
}

/** A license that has ended, with a link to the plans. */
export function EndedLicenseCard({
  license,
  openPayment,
  isPaying,
  onHold,
}: EndedLicenseCardProps) {
  const config = useConfig();
  const owed = openOfKind(openPayment, 'owed');
  const billed = billedText(license);
  return (
    <IllustratedSheet aria-labelledby="ended" picture={<Calendar className="w-52" />}>
      <h2 id="ended" className="text-xl">
        {endedTitle(license, config)}
      </h2>
      <p className="mt-3 empty:hidden">{endedText(license, config)}</p>
      {!neverStarted(license) && (
        <p className="mt-3 text-muted">
          {billed && `It was billed ${billed}. `}
          {!owed && !isPaying && 'Nothing is charged any more.'}
          {!owed &&
            !isPaying &&
            !onHold &&
            ' You can subscribe again at any time; the free trial was used.'}
        </p>
      )}
      {owed && <OwedBill open={owed} />}
      {!owed && !isPaying && !onHold && (
        <AppLink intoArea to={routes.plans} className={`${buttonClass()} mt-5`}>
          {neverStarted(license) ? 'Choose a plan' : 'Subscribe again'}
        </AppLink>
      )}
    </IllustratedSheet>
  );
}
