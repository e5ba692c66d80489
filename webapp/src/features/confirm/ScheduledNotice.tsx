import type { ScheduledChange } from '@/api';
import { Button } from '@/components/Button';
import { Notice } from '@/components/Notice';
import { dateText, planDisplayName, planText } from '@/modules/billing/plan-text';
import type { BillingAction } from '@/modules/billing/use-billing-action';
import { type ScreenConfig, useConfig } from '@/modules/config/config-store';
import type { PlanChange } from './use-plan-change';

interface ScheduledNoticeProps {
  scheduledChange: ScheduledChange;
  planChange: PlanChange;
  /** The state of the request that cancels the scheduled change. */
  keepAction: BillingAction<'keep'>;
  onKeep: () => void;
}

/** Describes the scheduled change and the effect of Confirm on it. A button cancels the scheduled change. */
export function ScheduledNotice(props: ScheduledNoticeProps) {
  const config = useConfig();
  const { scheduledChange, planChange, keepAction, onKeep } = props;
  const { currentPriceRef } = planChange;
  const plan = currentPriceRef && planDisplayName(currentPriceRef.product, config);
  return (
    <Notice live={false} title={titleOf(scheduledChange, planChange, config)}>
      <p>{textOf(planChange, plan)}</p>
      {keepAction.status === 'failed' && (
        <p role="alert" className="mt-2 font-semibold text-danger">
          {keepAction.message}
        </p>
      )}
      <Button
        variant="secondary"
        className="mt-3"
        busy={keepAction.status === 'busy'}
        onClick={onKeep}
      >{`Keep ${plan}`}</Button>
    </Notice>
  );
}

function titleOf(
  scheduledChange: ScheduledChange,
  { isScheduled }: PlanChange,
  config: ScreenConfig,
): string {
  const onDateText = `on ${dateText(scheduledChange.at, config.timeZone)}`;
  return isScheduled
    ? `This change is made ${onDateText}`
    : `Your plan changes to ${planText(scheduledChange, config)}, ${onDateText}`;
}

function textOf({ isScheduled, obstacle, timing }: PlanChange, plan: string | null): string {
  if (obstacle) return `You have ${plan} until then.`;
  if (isScheduled) return 'If you confirm, it is made now instead.';
  const text = 'If you confirm, the new change replaces this one.';
  return timing === 'now' ? `${text} If it can’t be paid, this one stays.` : text;
}
