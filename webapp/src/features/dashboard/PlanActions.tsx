import type { BilledSubscription, Config } from '@/api';
import { buttonClass } from '@/components/Button';
import { EmailLink } from '@/components/EmailLink';
import { Notice } from '@/components/Notice';
import { routes } from '@/lib/paths';
import { amountText } from '@/modules/billing/amount-text';
import { disputeText } from '@/modules/billing/obstacle-text';
import { changedPlanName, planIdOf, planName } from '@/modules/billing/plan-text';
import { can, paysInvoices } from '@/modules/config/capabilities';
import { useConfig } from '@/modules/config/config-store';
import { AppLink } from '@/modules/session/AppLink';
import { BillingRolesOnly } from '@/modules/session/BillingRolesOnly';
import { longDateTime } from '@/modules/session/date-times';
import type { TimeZone } from '@/modules/session/dates';
import type { User } from '@/modules/session/session-store';

interface ObstacleNoticesProps {
  subscription: BilledSubscription;
  user: Pick<User, 'openPayment' | 'processing' | 'disputedAt' | 'disputeTimeZone'>;
}

/** Says why the plan can't be changed now, and what the customer can do about it. */
export function ObstacleNotices({ subscription, user }: ObstacleNoticesProps) {
  const config = useConfig();
  const { pending, currency, priceId } = subscription;
  const reason = obstacleText(subscription, user, config.timeZone);
  const until = pending?.expiresAt
    ? ` until ${longDateTime(new Date(pending.expiresAt), config.timeZone)}`
    : '';
  return (
    <>
      {pending && !user.processing && (
        <Notice
          tone="attention"
          live={false}
          title={`Your change to ${changedPlanName(pending.priceId, planIdOf(priceId), config)} waits for a payment`}
        >
          <p>
            <span>
              {`${amountText(config, { amount: pending.amount, currency })} is open${until}. You keep ${planName(priceId, config)}. `}
            </span>
            <BillingRolesOnly>
              <AppLink to={routes.pay} className="underline">
                Pay or drop the change
              </AppLink>
            </BillingRolesOnly>
          </p>
        </Notice>
      )}
      {reason && (
        <Notice
          tone="attention"
          live={false}
          title={
            subscription.managed ? 'To change your plan' : 'Your plan can’t be changed for now'
          }
        >
          <p>
            <span>{`${reason} Please contact us: `}</span>
            <EmailLink to={config.contact.email} />.
          </p>
        </Notice>
      )}
    </>
  );
}

/** Returns the reason why only the operator can change the plan; empty if nothing prevents a change. */
function obstacleText(
  { hold, pause, managed }: BilledSubscription,
  user: ObstacleNoticesProps['user'],
  timeZone: TimeZone,
): string {
  if (hold) return disputeText(user, timeZone);
  if (managed) return 'Your plan was agreed with our sales team.';
  return pause ? 'Your payments are paused.' : '';
}

/** The link to the payment of an overdue plan. */
export function PayLink({ openPayment }: Pick<User, 'openPayment'>) {
  return (
    <AppLink to={routes.pay} className={buttonClass()}>
      {payLabel(openPayment, useConfig())}
    </AppLink>
  );
}

function payLabel(openPayment: User['openPayment'], config: Config): string {
  if (paysInvoices(config)) return 'See how to pay';
  return openPayment?.approval ? 'Approve your payment' : 'Pay now';
}

interface PlanActionsProps extends ObstacleNoticesProps {
  /** Whether the plan can be ended now. */
  canEnd: boolean;
}

/** The links to change or end a plan, and to approve its card. They are not shown for a plan that is ending. */
export function PlanActions({ subscription, user, canEnd }: PlanActionsProps) {
  const config = useConfig();
  const canChange =
    (can(config, 'change_now') || can(config, 'at_period_end')) &&
    subscription.status !== 'past_due' &&
    !user.processing &&
    !subscription.pending &&
    !obstacleText(subscription, user, config.timeZone);
  return (
    <>
      {user.openPayment?.kind === 'authentication' && (
        <AppLink to={routes.pay} className={buttonClass()}>
          Approve your card
        </AppLink>
      )}
      {canChange && (
        <AppLink entersArea to={routes.plans} className={buttonClass('secondary')}>
          Change plan
        </AppLink>
      )}
      {canEnd ? (
        // The negative margins align the label with the texts above, also when the link is on a line of its own.
        <AppLink
          to={routes.end}
          className={`${buttonClass('quiet')} -mx-2.25 px-2! only:-mt-3 only:-mb-2`}
        >
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
