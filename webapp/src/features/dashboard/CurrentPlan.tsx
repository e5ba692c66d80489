import { type BilledSubscription, type Billing, cancelScheduledChange, resumePlan } from '@/api';
import { Badge } from '@/components/Badge';
import { Button, buttonClass } from '@/components/Button';
import { Notice } from '@/components/Notice';
import { Panel, PanelSection } from '@/components/Panel';
import { routes } from '@/lib/paths';
import {
  changedPlanName,
  dateText,
  planIdOf,
  planName,
  planPriceText,
} from '@/modules/billing/plan-text';
import { type BillingAction, useBillingAction } from '@/modules/billing/use-billing-action';
import { actionWithInstructions, paysInvoices } from '@/modules/config/capabilities';
import { useConfig } from '@/modules/config/config-store';
import { ProcessingPaymentNotice } from '@/modules/payments/ProcessingPaymentNotice';
import { planBadge } from '@/modules/payments/plan-badge';
import { AppLink } from '@/modules/session/AppLink';
import { BillingRolesOnly } from '@/modules/session/BillingRolesOnly';
import { serverTime } from '@/modules/session/dates';
import type { User } from '@/modules/session/session-store';
import { NextSteps } from './NextSteps';
import { nextSteps } from './next-step';
import { PeriodProgress } from './PeriodProgress';
import { ObstacleNotices, PayLink, PlanActions } from './PlanActions';

export interface CurrentPlanProps {
  user: User;
  billing: Billing;
  subscription: BilledSubscription;
}

/** The section of a plan that is active, on trial or overdue. */
export function CurrentPlan(props: CurrentPlanProps) {
  const config = useConfig();
  const { user, billing, subscription } = props;
  const { action, run } = useBillingAction<'resume' | 'keep'>();
  const busyAction = action.status === 'busy' ? action.kind : null;
  const plan = planName(subscription.priceId, config);
  const { scheduled, endsAt } = subscription;
  const needsPayment = subscription.status === 'past_due' && !user.processing;
  const steps = nextSteps({ subscription, billing, config, user });
  return (
    <Panel aria-labelledby="plan" className="figures">
      <PanelSection>
        <PlanHeading plan={plan} user={user} subscription={subscription} />
        <p className="mt-1 text-muted">{planPriceText(subscription, config)}</p>
        {isRunning(subscription) && (
          <PeriodProgress subscription={subscription} now={serverTime(user)} />
        )}
        {scheduled && (
          <ScheduledPlan
            scheduled={scheduled}
            plan={plan}
            currentPlanId={planIdOf(subscription.priceId)}
            busy={busyAction === 'keep'}
            onKeep={() => void run('keep', cancelScheduledChange)}
          />
        )}
        <div className="mt-4 space-y-4 empty:hidden">
          {user.processing && <ProcessingPaymentNotice processing={user.processing} />}
          <ObstacleNotices subscription={subscription} user={user} />
          <ActionResult action={action} plan={plan} />
        </div>
        <div className="mt-6 flex flex-wrap items-center gap-x-5 gap-y-3">
          <BillingRolesOnly action="change the plan">
            {awaitsTransfer(props) && <HowToPayLink variant={endsAt ? 'secondary' : 'primary'} />}
            {needsPayment &&
              (user.openPayment || paysInvoices(config) ? (
                <PayLink openPayment={user.openPayment} />
              ) : (
                <AppLink to={routes.contact} className={buttonClass()}>
                  Contact us
                </AppLink>
              ))}
            {endsAt ? (
              <Button
                variant={needsPayment ? 'secondary' : 'primary'}
                busy={busyAction === 'resume'}
                onClick={() => void run('resume', resumePlan)}
              >
                {`Resume ${plan}`}
              </Button>
            ) : (
              <PlanActions subscription={subscription} user={user} canEnd={billing.end !== null} />
            )}
          </BillingRolesOnly>
        </div>
      </PanelSection>
      {steps.length > 0 && (
        <PanelSection>
          <NextSteps steps={steps} />
        </PanelSection>
      )}
    </Panel>
  );
}

type PlanHeadingProps = Pick<CurrentPlanProps, 'user' | 'subscription'> & { plan: string };

/** The name of the plan with a badge for its state. */
function PlanHeading({ plan, user, subscription }: PlanHeadingProps) {
  const { label, tone } = planBadge({
    status: subscription.status,
    endsAt: subscription.endsAt,
    openPayment: user.openPayment,
    processingPayment: user.processing,
  });
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <h2 id="plan" className="text-xl">
        {plan}
      </h2>
      <Badge tone={tone}>{label}</Badge>
    </div>
  );
}

interface ScheduledPlanProps {
  scheduled: NonNullable<BilledSubscription['scheduled']>;
  /** The display name of the current plan. */
  plan: string;
  /** The id of the current plan. */
  currentPlanId: string;
  busy: boolean;
  onKeep: () => void;
}

/** The next plan with its date, and a button that keeps the current plan instead. */
function ScheduledPlan(props: ScheduledPlanProps) {
  const { scheduled, plan, currentPlanId, busy, onKeep } = props;
  const config = useConfig();
  return (
    <p className="mt-3 flex flex-wrap items-center gap-x-2">
      <span>{`${changedPlanName(scheduled.priceId, currentPlanId, config)} from ${dateText(scheduled.at, config.timeZone)}`}</span>
      <BillingRolesOnly>
        <span aria-hidden className="hidden sm:inline">
          ·
        </span>
        <Button variant="quiet" className="-mx-2 px-2!" busy={busy} onClick={onKeep}>
          {`Keep ${plan}`}
        </Button>
      </BillingRolesOnly>
    </p>
  );
}

/** The result of resuming the plan, or of keeping it instead of a scheduled change. */
function ActionResult({ action, plan }: { action: BillingAction<string>; plan: string }) {
  switch (action.status) {
    case 'failed':
      return (
        <Notice tone="danger">
          <p>{action.message}</p>
        </Notice>
      );
    case 'done':
      return (
        <Notice tone="success">
          <p>{`You keep ${plan}.`}</p>
        </Notice>
      );
    default:
      return null;
  }
}

/** Whether the trial or the paid period is running. */
const isRunning = ({ status, pause }: BilledSubscription): boolean =>
  (status === 'active' || status === 'trialing') && !pause;

/**
 * Whether an invoice is to be paid by bank transfer. A plan that ends with its trial has none, because the invoice for
 * the time after the trial is cancelled.
 */
function awaitsTransfer({ user, subscription }: CurrentPlanProps): boolean {
  const { status, endsAt, pending } = subscription;
  const isInvoiceCanceled = status === 'trialing' && endsAt !== null;
  return (
    actionWithInstructions(user.next) !== null &&
    !pending &&
    !isInvoiceCanceled &&
    status !== 'past_due'
  );
}

const HowToPayLink = ({ variant }: { variant: 'primary' | 'secondary' }) => (
  <AppLink to={routes.pay} className={buttonClass(variant)}>
    See how to pay
  </AppLink>
);
