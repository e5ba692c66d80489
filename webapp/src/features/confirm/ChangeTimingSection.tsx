import type { ChangeTiming, License } from '@/api';
import { Card } from '@/components/Card';
import { Notice } from '@/components/Notice';
import { type ScreenConfig, useConfig } from '@/modules/config/config-store';
import { keptPlanText } from '@/modules/payments/open-payment-text';
import { longDateOf } from '@/modules/session/dates';
import { renewalTime } from './change-timings';
import { creditEffectText } from './credit-effect-text';
import { TimingChoice } from './TimingChoice';
import { type PlanChange, preventsQuote } from './use-plan-change';

interface ChangeTimingSectionProps {
  planChange: PlanChange;
  /** The display name of the new plan. */
  plan: string;
}

/** Offers the possible timings of the plan change, or describes the only one. */
export function ChangeTimingSection({ planChange, plan }: ChangeTimingSectionProps) {
  const config = useConfig();
  const { license, obstacle, timings, timing, setTiming, comparesCredit, timingQuotes } =
    planChange;
  if (!license || preventsQuote(obstacle)) return null;
  const notes = timings.map((_, i) => {
    const quote = timingQuotes[i];
    return quote ? creditEffectText(quote, plan, config) : '';
  });
  if (timings.length > 1) {
    const choices = timings.map((value, i) => ({
      value,
      ...timingText(value, license, config),
      ...(comparesCredit && { note: notes[i] }),
    }));
    return <TimingChoice options={choices} value={timing} onChange={setTiming} />;
  }
  if (timing === 'now') {
    if (comparesCredit) {
      return (
        <Card>
          <p className="min-h-24 sm:min-h-12">{notes[0]}</p>
        </Card>
      );
    }
    return license.raw.status === 'trialing' ? (
      <Notice tone="attention" live={false}>
        <p>{trialEndsText}</p>
      </Notice>
    ) : null;
  }
  const { label, text } = timingText('renewal', license, config);
  return (
    <Card>
      <p className="font-semibold">{label}</p>
      <p className="mt-1 text-muted">{text}</p>
    </Card>
  );
}

const trialEndsText = 'Updating your plan ends your active trial.';

/** Returns the label of a timing and its effect on the current plan. */
function timingText(
  timing: ChangeTiming,
  license: License,
  config: ScreenConfig,
): { label: string; text: string } {
  const isTrial = license.raw.status === 'trialing';
  if (timing === 'now') {
    return {
      label: 'Now',
      text: isTrial ? trialEndsText : 'The unused time of your current plan is deducted.',
    };
  }
  const renewal = renewalTime(license);
  const end = renewal ? longDateOf(renewal, config.timeZone) : null;
  const onDateText = end ? `, on ${end}` : '';
  return {
    label: isTrial ? `When my trial ends${onDateText}` : `At the next renewal${onDateText}`,
    text: keptPlanText(license, config, end),
  };
}
