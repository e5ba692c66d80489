import type { License } from '@/api';
import { Badge } from '@/components/Badge';
import { buttonClass } from '@/components/Button';
import { Calendar } from '@/components/illustrations/ChairDrawings';
import { WaitingRoom } from '@/components/illustrations/WaitingRoom';
import { Notice } from '@/components/Notice';
import { IllustratedPanel } from '@/components/Panel';
import { routes } from '@/lib/paths';
import {
  endedText,
  endedTitle,
  hasNeverStarted,
  nextPlanTexts,
} from '@/modules/billing/ended-text';
import { useConfig } from '@/modules/config/config-store';
import { AppLink } from '@/modules/session/AppLink';
import { BillingRolesOnly } from '@/modules/session/BillingRolesOnly';
import { breakDates } from '@/modules/session/dates';
import type { User } from '@/modules/session/session-store';
import { intervalText, licenseText } from './license-text';

interface LicensePlanProps {
  user: User;
  license: License;
}

/** The current license as the session describes it: its plan, status and next charge. */
export function LicensePlan({ user, license }: LicensePlanProps) {
  const config = useConfig();
  const { plan, label, tone, details } = licenseText(license, user, config);
  const isOverdue = license.raw.status === 'past_due';
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
      {isOverdue && !user.openPayment && !user.processing && (
        <BillingRolesOnly>
          <OverdueNotice />
        </BillingRolesOnly>
      )}
      {details.length > 0 && (
        <dl className="figures mt-5 -mb-3 divide-y divide-line border-t border-line">
          {details.map((detail) => (
            <div key={detail.label} className="flex flex-wrap justify-between gap-x-6 py-3">
              <dt className="text-muted">{detail.label}</dt>
              <dd className="ml-auto text-right font-semibold">{breakDates(detail.text)}</dd>
            </div>
          ))}
        </dl>
      )}
    </IllustratedPanel>
  );
}

/** Says how to pay an overdue plan. It is shown if no open payment is known, because then no banner reports it. */
const OverdueNotice = () => (
  <Notice tone="danger" live={false} className="mt-4" title="Your last invoice is not paid">
    <p>
      <AppLink entersArea to={routes.cards} className="underline">
        Change your payment method
      </AppLink>{' '}
      to keep your plan.
    </p>
  </Notice>
);

/** A license that has ended, with a link to the plans unless a payment or a dispute has to be settled first. */
export function EndedLicense({ user, license }: LicensePlanProps) {
  const config = useConfig();
  const interval = intervalText(license);
  const isSettled = !user.openPayment && !user.processing;
  const canSubscribe = isSettled && !user.hold;
  const { label, action } = nextPlanTexts(license);
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
      {canSubscribe && (
        <div className="mt-5">
          <BillingRolesOnly action={action}>
            <AppLink entersArea to={routes.plans} className={buttonClass()}>
              {label}
            </AppLink>
          </BillingRolesOnly>
        </div>
      )}
    </IllustratedPanel>
  );
}
