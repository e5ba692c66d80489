import { type FormEvent, useId, useState } from 'react';
import { type BilledSubscription, type Billing, type EndReason, endPlan } from '@/api';
import { Button } from '@/components/Button';
import { controlClass } from '@/components/FieldFrame';
import { Notice } from '@/components/Notice';
import { routes } from '@/lib/paths';
import { planName } from '@/modules/billing/plan-text';
import type { BillingAction } from '@/modules/billing/use-billing-action';
import { useConfig } from '@/modules/config/config-store';
import { openPaymentOfKind } from '@/modules/payments/open-payment-text';
import { creditText } from '@/modules/payments/quote-text';
import { useGo } from '@/modules/session/navigation';
import type { User } from '@/modules/session/session-store';
import { endEffects } from './end-text';

const reasons: readonly [EndReason, string][] = [
  ['too_expensive', 'It is too expensive'],
  ['missing_feature', 'A feature is missing'],
  ['not_needed', 'I no longer need it'],
  ['switching', 'I am switching to another product'],
  ['other', 'Something else'],
];

interface EndFormProps {
  user: User;
  billing: Billing;
  subscription: BilledSubscription;
  end: NonNullable<Billing['end']>;
  action: BillingAction<'end' | 'resume'>;
  run: (kind: 'end', call: () => Promise<unknown>) => Promise<void>;
}

/** Describes the effects of ending the plan, asks for an optional reason, and has equal buttons to end or keep it. */
export function EndForm({ user, subscription, end, billing, action, run }: EndFormProps) {
  const config = useConfig();
  const go = useGo();
  const [reason, setReason] = useState<EndReason>();
  const [comment, setComment] = useState('');
  const plan = planName(subscription.priceId, config);
  const overduePayment = openPaymentOfKind(user.openPayment, 'overdue');
  const credit = creditText(billing.credit, config, true);

  function submit(event: FormEvent) {
    event.preventDefault();
    const text = comment.trim();
    void run('end', () => endPlan({ ...(reason && { reason }), ...(text && { comment: text }) }));
  }

  return (
    <form onSubmit={submit} noValidate>
      <p className="text-lg font-semibold">
        {endEffects({ end, invoiced: billing.invoiced }, subscription, overduePayment, config).join(
          ' ',
        )}
      </p>
      {credit && <p className="figures mt-2 text-muted">{credit}</p>}
      <ReasonField reason={reason} onChange={setReason} />
      <CommentField comment={comment} onChange={setComment} />
      {action.status === 'failed' && (
        <Notice tone="danger" className="mt-6">
          <p>{action.message}</p>
        </Notice>
      )}
      <div className="mt-6 grid gap-3 sm:grid-cols-2">
        <Button type="submit" look="secondary" wide busy={action.status === 'busy'}>
          {`End ${plan}`}
        </Button>
        <Button look="secondary" wide onClick={() => go(routes.billing)}>
          {`Keep ${plan}`}
        </Button>
      </div>
    </form>
  );
}

interface ReasonFieldProps {
  reason?: EndReason;
  onChange: (reason: EndReason) => void;
}

function ReasonField({ reason, onChange }: ReasonFieldProps) {
  const name = useId();
  return (
    <fieldset className="mt-6 min-w-0">
      <legend className="mb-1 font-semibold">
        Why are you ending it? <span className="font-normal text-muted">(optional)</span>
      </legend>
      {reasons.map(([value, label]) => (
        <label key={value} className="flex min-h-11 items-center gap-3">
          <input
            type="radio"
            name={name}
            checked={reason === value}
            onChange={() => onChange(value)}
            className="check"
          />
          {label}
        </label>
      ))}
    </fieldset>
  );
}

/** The maximum length that the server accepts. */
const maxCommentLength = 2000;

interface CommentFieldProps {
  comment: string;
  onChange: (comment: string) => void;
}

function CommentField({ comment, onChange }: CommentFieldProps) {
  const id = useId();
  return (
    <div className="mt-4">
      <label htmlFor={id} className="mb-1 block font-semibold">
        Comment <span className="font-normal text-muted">(optional)</span>
      </label>
      <textarea
        id={id}
        rows={3}
        maxLength={maxCommentLength}
        value={comment}
        onChange={(event) => onChange(event.target.value)}
        className={controlClass}
      />
    </div>
  );
}
