import type { ReactNode } from 'react';
import { type BilledSubscription, type Billing, type License, resumePlan } from '@/api';
import { Button, buttonClass } from '@/components/Button';
import { EmailLink } from '@/components/EmailLink';
import { Calendar } from '@/components/illustrations/ChairDrawings';
import { Notice } from '@/components/Notice';
import { IllustratedPanel } from '@/components/Panel';
import { routes } from '@/lib/paths';
import { AccountPage } from '@/modules/billing/AccountPage';
import { endedText, endedTitle } from '@/modules/billing/ended-text';
import { PendingOrder } from '@/modules/billing/PendingOrder';
import { dateText, invoiceAtEndText, planName } from '@/modules/billing/plan-text';
import type { BillingAction } from '@/modules/billing/use-billing-action';
import { useConfig } from '@/modules/config/config-store';
import { openPaymentOfKind } from '@/modules/payments/open-payment-text';
import { ProcessingPaymentNotice } from '@/modules/payments/ProcessingPaymentNotice';
import { creditText } from '@/modules/payments/quote-text';
import { SubscribeAgain } from '@/modules/payments/SubscribeAgain';
import { AppLink } from '@/modules/session/AppLink';
import type { User } from '@/modules/session/session-store';

type Action = BillingAction<'end' | 'resume'>;

interface EndingPlanProps {
  subscription: BilledSubscription;
  billing: Billing;
  action: Action;
  run: (kind: 'resume', call: () => Promise<unknown>) => Promise<void>;
}

/** The result for a plan that ends with its period or trial. It can be resumed until then. */
export function EndingPlan({ subscription, billing, action, run }: EndingPlanProps) {
  const config = useConfig();
  const plan = planName(subscription.priceId, config);
  const credit = creditText(billing.credit, config, { planEnds: true });
  const isTrial = subscription.status === 'trialing';
  const invoiceText = invoiceAtEndText(billing.invoiced, isTrial, config);
  return (
    <ResultPanel
      title={`${plan} ends on ${dateText(subscription.endsAt ?? '', config.timeZone)}`}
      focusOnMount={action.status === 'done'}
    >
      <p className="text-lg">
        {`You keep ${plan} until then. Nothing is charged after that. ${invoiceText}`.trim()}
      </p>
      {credit && <p className="mt-2 text-muted">{credit}</p>}
      {action.status === 'failed' && (
        <Notice tone="danger" className="mt-5">
          <p>{action.message}</p>
        </Notice>
      )}
      <p className="mt-6 flex flex-wrap gap-3">
        <AppLink to={routes.dash} className={buttonClass()}>
          Go to your dashboard
        </AppLink>
        <Button
          variant="secondary"
          busy={action.status === 'busy'}
          onClick={() => void run('resume', resumePlan)}
        >
          {`Resume ${plan}`}
        </Button>
      </p>
    </ResultPanel>
  );
}

interface NothingToEndProps {
  user: User;
  billing: Billing;
  action: Action;
}

/** Explains that the plan has ended, that there is no plan, or that the plan can't be ended here. */
export function NothingToEnd({ user, billing, action }: NothingToEndProps) {
  const config = useConfig();
  const { license, pastLicense, order, processing } = user;
  const credit = creditText(billing.credit, config, { planEnds: true });
  if (!license && order) {
    return (
      <AccountPage title="End your plan">
        <div className="mt-6">
          <PendingOrder order={order} />
        </div>
      </AccountPage>
    );
  }
  const isStarting =
    processing?.kind === 'first_payment' || openPaymentOfKind(user.openPayment, 'first_payment');
  if (!license && pastLicense && !isStarting) {
    return (
      <ResultPanel title={endedTitle(pastLicense, config)} focusOnMount={action.status === 'done'}>
        <p className="empty:hidden">{endedText(pastLicense, config)}</p>
        {action.status === 'failed' && <p className="mt-3">{action.message}</p>}
        {credit && <p className="mt-3 text-muted">{credit}</p>}
        {processing ? (
          <ProcessingPaymentNotice processing={processing} className="mt-4" />
        ) : (
          <SubscribeAgain user={user} license={pastLicense} />
        )}
      </ResultPanel>
    );
  }
  return (
    <ResultPanel title="There is nothing to end">
      {processing && <ProcessingPaymentNotice processing={processing} />}
      {license && !license.isDev ? (
        <p>
          To end your plan, write to <EmailLink to={config.contact.email} />.
        </p>
      ) : (
        !processing && <p>{nothingToEndText(license)}</p>
      )}
      <AppLink to={routes.dash} className={`${buttonClass()} mt-5`}>
        Go to your dashboard
      </AppLink>
    </ResultPanel>
  );
}

/** Returns the reason why there is nothing to end. */
const nothingToEndText = (license: License | null): string =>
  license ? 'Nothing is charged for your licence.' : 'You have no plan that is running.';

interface ResultPanelProps {
  title: string;
  /** Whether to focus the title on mount, because the result replaces the focused element. */
  focusOnMount?: boolean;
  children: ReactNode;
}

const ResultPanel = ({ title, focusOnMount, children }: ResultPanelProps) => (
  <AccountPage title={title} focusOnMount={focusOnMount}>
    <IllustratedPanel className="figures mt-6" picture={<Calendar className="w-52" />}>
      {children}
    </IllustratedPanel>
  </AccountPage>
);
