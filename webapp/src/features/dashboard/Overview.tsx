import { QueryClientProvider } from '@tanstack/react-query';
import { ChevronRight } from 'lucide-react';
import type { Config } from '@/api';
import { routes } from '@/lib/paths';
import { AccountPage } from '@/modules/billing/AccountPage';
import { hasAccountNavigation } from '@/modules/billing/account-pages';
import { FuturePlan } from '@/modules/billing/FuturePlan';
import { PendingOrder } from '@/modules/billing/PendingOrder';
import { UnreachableEmails } from '@/modules/billing/UnreachableEmails';
import { actionWithInstructions, can, hasCardField } from '@/modules/config/capabilities';
import { useConfig } from '@/modules/config/config-store';
import { FirstPayment } from '@/modules/payments/FirstPayment';
import { openPaymentOfKind } from '@/modules/payments/open-payment-text';
import { ProcessingPaymentNotice } from '@/modules/payments/ProcessingPaymentNotice';
import { AppLink } from '@/modules/session/AppLink';
import { queryClient } from '@/modules/session/query-client';
import { SessionErrorNotice } from '@/modules/session/SessionErrorNotice';
import type { SignedInSession, User } from '@/modules/session/session-store';
import { EndedLicenseCard, LicenseCard } from './LicenseCard';

interface OverviewProps {
  session: SignedInSession;
}

/** The dashboard of a signed-in user: the organisation's plan and links to the other screens. */
export default function Overview({ session: { user, error } }: OverviewProps) {
  return (
    <AccountPage
      title={user.org.name || 'Dashboard'}
      documentTitle="Dashboard"
      description={signedInText(user)}
    >
      <QueryClientProvider client={queryClient}>
        <div className="mt-6">
          <SessionErrorNotice error={error} />
          <UnreachableEmails user={user} className="mb-6" />
          {user.processing && (
            <ProcessingPaymentNotice processing={user.processing} className="mb-6" />
          )}
          <PlanCard user={user} />
          <nav
            aria-label="Your account"
            className="mt-6 divide-y divide-line overflow-hidden rounded-card border border-line bg-surface"
          >
            <AccountLinks user={user} />
          </nav>
        </div>
      </QueryClientProvider>
    </AccountPage>
  );
}

/** Returns 'Signed in as Ada Byron, ada@clinic.example', without the parts that the server does not report. */
function signedInText({ firstName, lastName, email }: User): string {
  const name = [firstName, lastName].filter(Boolean).join(' ');
  const identity = [name, email].filter(Boolean).join(', ');
  return identity ? `Signed in as ${identity}` : 'You are signed in';
}

/**
 * Shows the first of these that exists: the current license, a pending order, an open first payment, the past license,
 * the plan that was chosen at registration.
 */
function PlanCard({ user }: { user: User }) {
  const { license, pastLicense, openPayment = null, order } = user;
  const payments = { openPayment, processingPayment: user.processing ?? null };
  if (license) return <LicenseCard license={license} {...payments} />;
  if (order) return <PendingOrder order={order} />;
  const firstPayment = openPaymentOfKind(openPayment, 'first_payment');
  if (firstPayment) return <FirstPayment payment={firstPayment} />;
  if (user.processing?.kind === 'first_payment') return null;
  if (pastLicense) {
    return <EndedLicenseCard license={pastLicense} {...payments} isOnHold={Boolean(user.hold)} />;
  }
  return <FuturePlan user={user} />;
}

/** Links to the plans, to the payment of an invoice, and to account screens if there is no account navigation. */
function AccountLinks({ user }: { user: User }) {
  const config = useConfig();
  const hasNavigation = hasAccountNavigation(config);
  return (
    <>
      {actionWithInstructions(user.next) && (
        <LinkRow
          to={routes.pay}
          title="Pay your invoice"
          text="Account, reference and amount for your transfer"
        />
      )}
      <LinkRow
        to={routes.plans}
        title="Plans"
        text={canChangePlan(user) ? 'Compare plans, or change yours' : 'Compare plans'}
      />
      {!hasNavigation && can(config, 'billing') && (
        <LinkRow to={routes.billing} title="Billing" text="Next charge, invoices, end your plan" />
      )}
      {!hasNavigation && user.org.stripeCustomerId && can(config, 'saved_methods') && (
        <LinkRow to={routes.cards} {...cardsLinkText(config)} />
      )}
    </>
  );
}

/** Whether the user has a plan that can be changed now. */
const canChangePlan = ({ license, hold, openPayment, processing }: User): boolean =>
  license !== null &&
  !(
    license.isDev ||
    license.managed ||
    license.ends_at ||
    license.pause ||
    hold ||
    openPayment ||
    processing
  );

const cardsLinkText = (config: Config) =>
  hasCardField(config)
    ? { title: 'Payment methods', text: 'Add, change or delete saved cards' }
    : {
        title: 'Payment methods',
        text: can(config, 'method_page')
          ? 'Add, choose or delete saved payment methods'
          : 'Choose or delete saved payment methods',
      };

function LinkRow({ to, title, text }: { to: string; title: string; text: string }) {
  return (
    <AppLink
      intoArea
      to={to}
      className="flex min-h-14 items-center justify-between gap-4 px-4 py-2.5 text-ink hover:bg-paper focus-visible:-outline-offset-2 sm:px-6"
    >
      <span className="flex flex-wrap gap-x-4">
        <span className="font-semibold">{title}</span> <span className="text-muted">{text}</span>
      </span>
      <ChevronRight aria-hidden size={16} className="shrink-0 text-muted" />
    </AppLink>
  );
}
