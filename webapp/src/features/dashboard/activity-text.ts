import type { Activity } from '@/api/activity';
import { amountText } from '@/modules/billing/amount-text';
import { dateText, intervalOf, planText } from '@/modules/billing/plan-text';
import type { ScreenConfig } from '@/modules/config/config-store';
import { roleNames } from '@/modules/session/role-names';
import { ownValue } from '@/rules/own-value';

/** The description of an activity with and without its actor: ['changed the plan', 'The plan was changed']. */
type Phrases = [active: string, passive: string];

/** Returns a sentence about the activity; null for a kind that this version of the app does not know. */
export function activityText(activity: Activity, config: ScreenConfig): string | null {
  const { actor, name } = activity;
  const event = eventText(activity, config);
  if (event) return `${event}.`;
  const phrases = actorPhrases(activity, config);
  if (!phrases) return null;
  const [active, passive] = phrases;
  if (actor === 'provider') return `${passive}.`;
  const subject = actor === 'support' ? 'Our support' : name || 'A former member';
  return `${subject} ${active}.`;
}

/** Returns the text of an activity that is described in the same way for all actors; null for other activities. */
function eventText({ kind, name, amount, number, status }: Activity, config: ScreenConfig) {
  const sum = amount && amount.amount > 0 ? amountText(config, amount) : null;
  switch (kind) {
    case 'member.left':
      return `${name || 'A member'} left`;
    case 'plan.status_changed':
      return ownValue(statusTexts, status ?? '') ?? null;
    case 'invoice.issued':
      return sum && `Invoice${number ? ` ${number}` : ''} of ${sum} was issued`;
    case 'payment.received':
      return sum && `A payment of ${sum} arrived`;
    case 'payment.failed':
      return 'A payment failed';
    case 'payment.refunded':
      return sum && `${sum} was refunded`;
    case 'payment.credited':
      return sum && `${sum} of a payment became credit`;
    case 'payment.returned':
      return sum && `The bank returned a payment of ${sum}`;
    default:
      return null;
  }
}

const statusTexts: Record<string, string> = {
  trialing: 'The trial started',
  active: 'The plan is active',
  past_due: 'A payment for the plan is overdue',
  incomplete: 'The first payment for the plan is open',
  incomplete_expired: 'The plan was not started, because it was not paid',
  canceled: 'The plan ended',
};

function actorPhrases(activity: Activity, config: ScreenConfig): Phrases | null {
  const { kind, member, priceId, role, effectiveAt } = activity;
  const plan = priceId ? planOf(priceId, config) : 'another plan';
  const asRole = role ? ` as ${roleNames[role]}` : '';
  const date = effectiveAt ? dateText(effectiveAt, config.timeZone) : '';
  switch (kind) {
    case 'user.signed_up':
      return ['created the account', 'The account was created'];
    case 'member.invited':
      return [`invited a colleague${asRole}`, `A colleague was invited${asRole}`];
    case 'member.invitation_deleted':
      return ['withdrew an invitation', 'An invitation was withdrawn'];
    case 'member.joined':
      return [`joined${asRole}`, `A member joined${asRole}`];
    case 'member.role_changed': {
      const roleOf = `role of ${member || 'a former member'}`;
      const toRole = role ? ` to ${roleNames[role]}` : '';
      return [`changed the ${roleOf}${toRole}`, `The ${roleOf} was changed${toRole}`];
    }
    case 'member.removed':
      return ['removed a member', 'A member was removed'];
    case 'organisation.renamed':
      return ['renamed the organisation', 'The organisation was renamed'];
    case 'organisation.billing_details_changed':
      return ['changed the billing details', 'The billing details were changed'];
    case 'organisation.billing_email_entered':
      return ['entered a new billing email', 'A new billing email was entered'];
    case 'organisation.billing_email_changed':
      return ['changed the billing email', 'The billing email was changed'];
    case 'organisation.transfer_reported':
      return ['reported a bank transfer', 'A bank transfer was reported'];
    case 'organisation.developer_license_granted':
      return ['granted a developer licence', 'A developer licence was granted'];
    case 'organisation.developer_license_ended':
      return ['ended the developer licence', 'The developer licence was ended'];
    case 'plan.started':
      return [`chose ${plan}`, `${priceId ? plan : 'Another plan'} was chosen`];
    case 'plan.changed':
      return [`changed the plan to ${plan}`, `The plan was changed to ${plan}`];
    case 'plan.change_pending':
      return [
        `asked for the change to ${plan}, which waits for its payment`,
        `The change to ${plan} waits for its payment`,
      ];
    case 'plan.change_scheduled': {
      const forDate = date && ` for ${date}`;
      return [
        `scheduled the change to ${plan}${forDate}`,
        `The change to ${plan} was scheduled${forDate}`,
      ];
    }
    case 'plan.change_dropped':
      return ['withdrew the plan change', 'The plan change was withdrawn'];
    case 'plan.ending': {
      const onDate = date && ` on ${date}`;
      return [`set the plan to end${onDate}`, `The plan was set to end${onDate}`];
    }
    case 'plan.resumed':
      return ['resumed the plan', 'The plan was resumed'];
    case 'operator.lifted_hold':
      return ['lifted the hold on the account', 'The hold on the account was lifted'];
    default:
      return null;
  }
}

const planOf = (priceId: string, config: ScreenConfig) =>
  planText({ priceId, interval: intervalOf(priceId) }, config);
