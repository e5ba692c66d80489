import {
  type BilledSubscription,
  type Billing,
  type Config,
  cancelScheduledChange,
  type OpenPayment,
  resumePlan,
} from '@/api';
import { Badge } from '@/components/Badge';
import { Button, buttonClass } from '@/components/Button';
import { EmailLink } from '@/components/EmailLink';
import { Notice } from '@/components/Notice';
import { Sheet, SheetPart } from '@/components/Sheet';
import { routes } from '@/lib/paths';
import { amountText } from '@/modules/billing/offer';
import { dateText, planName, planPriceText } from '@/modules/billing/plan-text';
import { type BillingAction, useBillingAction } from '@/modules/billing/use-billing-action';
import { actionWithInstructions, can, paysInvoices } from '@/modules/config/capabilities';
import { useConfig } from '@/modules/config/config-store';
import { PaymentOnItsWay } from '@/modules/payments/PaymentOnItsWay';
import { planBadge } from '@/modules/payments/plan-badge';
import { AppLink } from '@/modules/session/AppLink';
import { longDateTime } from '@/modules/session/dates';
import type { User } from '@/modules/session/session-store';
import { NextSteps } from './NextSteps';
import { nextSteps } from './next-step';
import { PeriodProgress } from './PeriodProgress';

export interface LivePlanProps {
  user: User;
  billing: Billing;
  subscription: BilledSubscription;
}

/** The section of a plan that is active, on trial or overdue. */
export function LivePlan(props: LivePlanProps) {
  const config = useConfig();
  const { user, billing, subscription } = props;
  const { action, run } = useBillingAction<'resume' | 'keep'>();
  const busyAction = action.status === 'busy' ? action.kind : null;
  const plan = planName(subscription.priceId, config);
  const { scheduled, endsAt } = subscription;
  const { status, tone } = planBadge({
    status: subscription.status,
    endsAt,
    open: user.openPayment,
    processing: user.processing,
  });
  const steps = nextSteps({ subscription, billing, config, user });
  return (
    <Sheet aria-labelledby="plan" className="figures">
      <SheetPart>
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h2 id="plan" className="text-xl">
            {plan}
          </h2>
          <Badge tone={tone}>{status}</Badge>
        </div>
        <p className="mt-1 text-muted">{planPriceText(subscription, config)}</p>
        {isRunning(subscription) && (
          <PeriodProgress
            subscription={subscription}
            now={user.now ? user.now * 1000 : Date.now()}
          />
        )}
        {scheduled && (
          <p className="mt-3 flex flex-wrap items-center gap-x-2">
            {`${planName(scheduled.priceId, config)} from ${dateText(scheduled.at)}`}
            <span aria-hidden className="hidden sm:inline">
              ·
            </span>
            <Button
              look="quiet"
              className="-mx-2 px-2!"
              busy={busyAction === 'keep'}
              onClick={() => void run('keep', cancelScheduledChange)}
            >
              {`Keep ${plan}`}
            </Button>
          </p>
        )}
        <div className="mt-4 space-y-4 empty:hidden">
          {user.processing && <PaymentOnItsWay processing={user.processing} />}
          <ObstacleNotices subscription={subscription} isProcessing={Boolean(user.processing)} />
          <ActionResult action={action} plan={plan} />
        </div>
        <div className="mt-6 flex flex-wrap items-center gap-3">
          {awaitsTransfer(props) && <HowToPay look={endsAt ? 'secondary' : 'primary'} />}
          {endsAt ? (
            <Button busy={busyAction === 'resume'} onClick={() => void run('resume', resumePlan)}>
              {`Resume ${plan}`}
            </Button>
          ) : (
            <PlanActions
              subscription={subscription}
              open={user.openPayment ?? null}
              isProcessing={Boolean(user.processing)}
              canEnd={billing.end !== null}
            />
          )}
        </div>
      </SheetPart>
      {steps.length > 0 && (
        <SheetPart>
          <NextSteps steps={steps} />
        </SheetPart>
      )}
    </Sheet>
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

interface ObstacleNoticesProps {
  subscription: BilledSubscription;
  /** Whether a payment is on its way. */
  isProcessing: boolean;
}

/** Says why the plan can't be changed now, and what the customer can do about it. */
function ObstacleNotices({ subscription, isProcessing }: ObstacleNoticesProps) {
  const config = useConfig();
  const { pending, hold, pause, currency, priceId } = subscription;
  const reason = obstacleText(hold, pause);
  return (
    <>
      {pending && !isProcessing && (
        <Notice
          tone="attention"
          live={false}
          title={`Your change to ${planName(pending.priceId, config)} waits for a payment`}
        >
          <p>
            {`${amountText(config, { amount: pending.amount, currency })} is open`}
            {pending.expiresAt && ` until ${longDateTime(new Date(pending.expiresAt))}`}
            {`. You keep ${planName(priceId, config)}. `}
            <AppLink to={routes.pay} className="underline">
              Pay or drop the change
            </AppLink>
          </p>
        </Notice>
      )}
      {reason && (
        <Notice tone="attention" live={false} title="Your plan can’t be changed for now">
          <p>
            {`${reason} `}
            Please contact us: <EmailLink to={config.contact.email} />.
          </p>
        </Notice>
      )}
    </>
  );
}

/** Returns why the customer has to contact us to change the plan; empty if nothing prevents a change. */
function obstacleText(
  hold: BilledSubscription['hold'],
  pause: BilledSubscription['pause'],
): string {
  if (hold) return 'A payment of your organisation is disputed.';
  return pause ? 'Your payments are paused.' : '';
}

/** Whether an invoice is to be paid by transfer. The invoice for the time after a trial that ends is cancelled. */
function awaitsTransfer({ user, subscription }: LivePlanProps): boolean {
  const { status, endsAt, pending } = subscription;
  const isCancelled = status === 'trialing' && endsAt !== null;
  return (
    actionWithInstructions(user.next) !== null && !pending && !isCancelled && status !== 'past_due'
  );
}

const HowToPay = ({ look }: { look: 'primary' | 'secondary' }) => (
  <AppLink to={routes.pay} className={buttonClass(look)}>
    See how to pay
  </AppLink>
);

function payLabel(open: OpenPayment | null, config: Config): string {
  if (paysInvoices(config)) return 'See how to pay';
  return open?.approval ? 'Approve your payment' : 'Pay now';
}

interface PlanActionsProps extends ObstacleNoticesProps {
  open: OpenPayment | null;
  /** Whether the plan can be ended now. */
  canEnd: boolean;
}

/** The links that pay, change or end a plan that does not end yet. */
function PlanActions({ subscription, open, isProcessing, canEnd }: PlanActionsProps) {
  const config = useConfig();
  const isOverdue = subscription.status === 'past_due';
  const canChange =
    (can(config, 'change_now') || can(config, 'change_at_renewal')) &&
    !isOverdue &&
    !isProcessing &&
    !subscription.pending &&
    !obstacleText(subscription.hold, subscription.pause);
  return (
    <>
      {isOverdue && !isProcessing && (
        <AppLink to={routes.pay} className={buttonClass()}>
          {payLabel(open, config)}
        </AppLink>
      )}
      {open?.kind === 'authentication' && (
        <AppLink to={routes.pay} className={buttonClass()}>
          Approve your card
        </AppLink>
      )}
      {canChange && (
        <AppLink intoArea to={routes.plans} className={buttonClass('secondary')}>
          Change plan
        </AppLink>
      )}
      {canEnd ? (
        <AppLink to={routes.end} className={`${buttonClass('quiet')} first:-ml-4`}>
          End plan
        </AppLink>
      ) : (
        <p className="text-sm text-muted">
          To end it, write to <EmailLink to={config.contact.email} />.
        </p>
      )}
    </>
  );
}
