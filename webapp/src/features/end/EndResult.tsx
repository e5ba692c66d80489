import type { ReactNode } from 'react';
import { type BilledSubscription, type Billing, resumePlan } from '@/api';
import { Button, buttonClass } from '@/components/Button';
import { EmailLink } from '@/components/EmailLink';
import { DoneIcon } from '@/components/icons';
import { Notice } from '@/components/Notice';
import { PageTitle } from '@/components/PageTitle';
import { routes } from '@/lib/paths';
import { endedText, endedTitle } from '@/modules/billing/ended-text';
import { PendingOrder } from '@/modules/billing/PendingOrder';
import { dateText, invoicedAtEndText, planName } from '@/modules/billing/plan-text';
import type { BillingAction } from '@/modules/billing/use-billing-action';
import { useConfig } from '@/modules/config/config-store';
import { openOfKind } from '@/modules/payments/open-payment-text';
import { creditText } from '@/modules/payments/quote-text';
import { SubscribeAgain } from '@/modules/payments/SubscribeAgain';
import { AppLink } from '@/modules/session/AppLink';
import type { User } from '@/modules/session/session-store';

type Action = BillingAction<'end' | 'resume'>;

interface EndingProps {
  subscription: BilledSubscription;
  billing: Billing;
  action: Action;
  run: (kind: 'resume', call: () => Promise<unknown>) => Promise<void>;
}

/** Shown when the plan ends with its period or trial. */
export function Ending({ subscription, billing, action, run }: EndingProps) {
  const config = useConfig();
  const plan = planName(subscription.priceId, config);
  const credit = creditText(billing.credit, config, true);
  const invoiced = invoicedAtEndText(billing.invoiced, subscription.status === 'trialing', config);
  return (
    <Result
      title={`${plan} ends on ${dateText(subscription.endsAt ?? '')}`}
      focused={action.status === 'done'}
    >
      <p className="mt-3 text-lg text-muted">
        {`You keep ${plan} until then. Nothing is charged after that. ${invoiced}`.trim()}
      </p>
      {credit && <p className="mt-2 text-muted">{credit}</p>}
      {action.status === 'failed' && (
        <Notice tone="danger" className="mt-6 text-left">
          <p>{action.message}</p>
        </Notice>
      )}
      <p className="mt-8 flex flex-wrap justify-center gap-3">
        <AppLink to={routes.billing} className={buttonClass()}>
          Go to billing
        </AppLink>
        <Button
          look="secondary"
          busy={action.status === 'busy'}
          onClick={() => void run('resume', resumePlan)}
        >
          {`Resume ${plan}`}
        </Button>
      </p>
    </Result>
  );
}

interface NothingToEndProps {
  user: User;
  billing: Billing;
  action: Action;
}

/** Shown when the plan has ended, there is none, or it can't be ended here. */
export function NothingToEnd({ user, billing, action }: NothingToEndProps) {
  const config = useConfig();
  const { license, pastLicense, order } = user;
  const credit = creditText(billing.credit, config, true);
  if (!license && order) {
    return (
      <div className="page max-w-2xl pt-10 sm:pt-14">
        <PageTitle className="mb-6">End your plan</PageTitle>
        <PendingOrder order={order} />
      </div>
    );
  }
  if (!license && pastLicense && !openOfKind(user.openPayment, 'first_payment')) {
    return (
      <Result title={endedTitle(pastLicense, config)} focused={action.status === 'done'}>
        <p className="mt-3 empty:hidden">{endedText(pastLicense, config)}</p>
        {action.status === 'failed' && <p className="mt-3">{action.message}</p>}
        {credit && <p className="mt-3 text-muted">{credit}</p>}
        <div className="grid justify-center *:justify-center">
          <SubscribeAgain user={user} license={pastLicense} />
        </div>
      </Result>
    );
  }
  return (
    <Result title="There is nothing to end">
      {license && !license.isDev && (
        <p className="mt-3 text-muted">
          To end your plan, write to <EmailLink to={config.contact.email} />.
        </p>
      )}
      <AppLink to={routes.billing} className={`${buttonClass()} mt-8`}>
        Go to billing
      </AppLink>
    </Result>
  );
}

interface ResultProps {
  title: string;
  /** Moves the focus to the title, because the result replaces the focused element. */
  focused?: boolean;
  children: ReactNode;
}

const Result = ({ title, focused, children }: ResultProps) => (
  <div className="page max-w-xl py-16 text-center">
    <DoneIcon size={56} className="mx-auto text-success" />
    <PageTitle focused={focused} className="mt-4">
      {title}
    </PageTitle>
    {children}
  </div>
);
