import { Check } from 'lucide-react';
import { type FormEvent, useId, useState } from 'react';
import { type BilledSubscription, type Billing, type EndReason, endPlan } from '@/api';
import { Button } from '@/components/Button';
import { controlClass } from '@/components/FieldFrame';
import { Calendar } from '@/components/illustrations/ChairDrawings';
import { Notice } from '@/components/Notice';
import { PanelSection } from '@/components/Panel';
import { routes } from '@/lib/paths';
import { planName, planPriceText } from '@/modules/billing/plan-text';
import type { BillingAction } from '@/modules/billing/use-billing-action';
import { useConfig } from '@/modules/config/config-store';
import { openPaymentOfKind } from '@/modules/payments/open-payment-text';
import { creditText } from '@/modules/payments/quote-text';
import { useGo } from '@/modules/session/navigation';
import type { User } from '@/modules/session/session-store';
import { endEffects, keptItems } from './end-text';

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

/**
 * Describes what ends and what stays, asks for an optional reason, and has buttons of the same size to end or keep the
 * plan.
 */
export function EndForm({ user, subscription, end, billing, action, run }: EndFormProps) {
  const config = useConfig();
  const go = useGo();
  const [reason, setReason] = useState<EndReason>();
  const [comment, setComment] = useState('');
  const plan = planName(subscription.priceId, config);
  const overduePayment = openPaymentOfKind(user.openPayment, 'overdue');
  const credit = creditText(billing.credit, config, { planEnds: true });

  function submit(event: FormEvent) {
    event.preventDefault();
    const text = comment.trim();
    void run('end', () => endPlan({ ...(reason && { reason }), ...(text && { comment: text }) }));
  }

  return (
    <form
      onSubmit={submit}
      noValidate
      className="figures mt-6 grid rounded-card border border-line bg-surface @columns:grid-cols-[minmax(0,584fr)_minmax(0,400fr)] @columns:grid-rows-[auto_1fr]"
    >
      <PanelSection aria-labelledby="plan">
        <h2 id="plan" className="text-xl">
          {plan}
        </h2>
        <p className="mt-1 text-muted">{planPriceText(subscription, config)}</p>
        <p className="mt-4 text-lg font-semibold">
          {endEffects(
            { end, invoiced: billing.invoiced },
            subscription,
            overduePayment,
            config,
            user.processing ?? null,
          ).join(' ')}
        </p>
      </PanelSection>
      <PanelSection
        aria-labelledby="kept"
        className="border-t border-line @columns:row-span-2 @columns:border-t-0 @columns:border-l"
      >
        <h2 id="kept" className="text-lg">
          What you keep
        </h2>
        <ul className="mt-3 space-y-2">
          {keptItems({ end, card: billing.card }, subscription, config).map((text) => (
            <li key={text} className="flex gap-2.5">
              <Check aria-hidden size={20} className="mt-0.5 shrink-0 text-success" />
              <span>{text}</span>
            </li>
          ))}
        </ul>
        {credit && <p className="mt-4 text-muted">{credit}</p>}
        <Calendar className="mx-auto mt-10 hidden w-52 @columns:block" />
      </PanelSection>
      <div className="border-t border-line px-4 py-5 sm:p-6 @columns:border-t-0 @columns:pt-0">
        <ReasonField reason={reason} onChange={setReason} />
        <CommentField comment={comment} onChange={setComment} />
        {action.status === 'failed' && (
          <Notice tone="danger" className="mt-6">
            <p>{action.message}</p>
          </Notice>
        )}
        <div className="mt-6 grid gap-3 sm:grid-cols-2">
          <Button type="submit" variant="danger" wide busy={action.status === 'busy'}>
            {`End ${plan}`}
          </Button>
          <Button variant="secondary" wide onClick={() => go(routes.dash)}>
            {`Keep ${plan}`}
          </Button>
        </div>
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
    <fieldset className="grid min-w-0 gap-x-4 sm:grid-cols-[2fr_3fr]">
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
          <span>{label}</span>
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
