import { ChevronRight } from 'lucide-react';
import type { Config } from '@/api';
import { routes } from '@/lib/paths';
import { hasAccountNavigation } from '@/modules/billing/account-pages';
import { FuturePlan } from '@/modules/billing/FuturePlan';
import { PendingOrder } from '@/modules/billing/PendingOrder';
import { can, hasCardField } from '@/modules/config/capabilities';
import { useConfig } from '@/modules/config/config-store';
import { FirstPayment } from '@/modules/payments/FirstPayment';
import { openPaymentOfKind } from '@/modules/payments/open-payment-text';
import { ProcessingPaymentNotice } from '@/modules/payments/ProcessingPaymentNotice';
import { AppLink } from '@/modules/session/AppLink';
import { canManageBilling } from '@/modules/session/roles';
import type { User } from '@/modules/session/session-store';
import { EndedLicense, LicensePlan } from './LicensePlan';

/** The plan as the session describes it, with links to plans and cards, on a server without the capability `billing`. */
export function SessionSections({ user }: { user: User }) {
  const config = useConfig();
  const hasCards = Boolean(user.org.stripeCustomerId) && can(config, 'saved_methods');
  return (
    <>
      {user.processing && <ProcessingPaymentNotice processing={user.processing} />}
      <SessionPlan user={user} />
      <nav
        aria-label="Your account"
        className="divide-y divide-line overflow-hidden rounded-card border border-line bg-surface"
      >
        <LinkRow
          to={routes.plans}
          title="Plans"
          text={canChangePlan(user) ? 'Compare plans, or change yours' : 'Compare plans'}
        />
        {hasCards && !hasAccountNavigation(config) && (
          <LinkRow to={routes.cards} {...cardsLinkText(config)} />
        )}
      </nav>
    </>
  );
}

/**
 * Shows the first of these that exists: the current license, a pending order, an open first payment, the past license,
 * the plan that was chosen at registration.
 */
function SessionPlan({ user }: { user: User }) {
  const { license, pastLicense, openPayment, order } = user;
  if (license) return <LicensePlan user={user} license={license} />;
  if (order) return <PendingOrder order={order} />;
  const firstPayment = openPaymentOfKind(openPayment, 'first_payment');
  if (firstPayment) return <FirstPayment payment={firstPayment} />;
  if (user.processing?.kind === 'first_payment') return null;
  if (pastLicense) return <EndedLicense user={user} license={pastLicense} />;
  return <FuturePlan user={user} />;
}

/** Whether the user has a plan that can be changed now. */
const canChangePlan = ({ license, hold, openPayment, processing, role }: User): boolean =>
  license !== null &&
  canManageBilling({ role }) &&
  !(license.isDev || license.managed || license.ends_at || hold || openPayment || processing);

const cardsLinkText = (config: Config) =>
  hasCardField(config)
    ? { title: 'Payment methods', text: 'Add, change or delete saved cards' }
    : {
        title: 'Payment methods',
        text: can(config, 'method_page')
          ? 'Add, choose or delete saved payment methods'
          : 'Choose or delete saved payment methods',
      };

interface LinkRowProps {
  to: string;
  title: string;
  text: string;
}

const LinkRow = ({ to, title, text }: LinkRowProps) => (
  <AppLink
    entersArea
    to={to}
    className="flex min-h-14 items-center justify-between gap-4 px-4 py-2.5 text-ink hover:bg-paper focus-visible:-outline-offset-2 sm:px-6"
  >
    <span className="flex flex-wrap gap-x-4">
      <span className="font-semibold">{title}</span> <span className="text-muted">{text}</span>
    </span>
    <ChevronRight aria-hidden size={16} className="shrink-0 text-muted" />
  </AppLink>
);
