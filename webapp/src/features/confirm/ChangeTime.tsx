import type { Config, License, When } from '@/api';
import { Card } from '@/components/Card';
import { Notice } from '@/components/Notice';
import { useConfig } from '@/modules/config/config-store';
import { keptPlanText } from '@/modules/payments/open-payment-text';
import { longDateOf } from '@/modules/session/dates';
import type { PlanChange } from './use-plan-change';
import { WhenChoice } from './WhenChoice';

/** When the plan changes: a choice, or what follows from the only possible time. */
export function ChangeTime({ planChange }: { planChange: PlanChange }) {
  const config = useConfig();
  const { license, obstacle, options, when, setWhen } = planChange;
  if (!license || (obstacle && obstacle.kind !== 'no_card')) return null;
  if (options.length > 1) {
    const texts = options.map((value) => ({ value, ...whenText(value, license, config) }));
    return <WhenChoice options={texts} value={when} onChange={setWhen} />;
  }
  if (when === 'now') {
    return license.raw.status === 'trialing' ? (
      <Notice tone="attention" live={false}>
        <p>Updating your plan ends your active trial.</p>
      </Notice>
    ) : null;
  }
  const { label, text } = whenText('renewal', license, config);
  return (
    <Card>
      <p className="font-semibold">{label}</p>
      <p className="mt-1 text-muted">{text}</p>
    </Card>
  );
}

/** The effect of each choice on the current plan. */
function whenText(when: When, license: License, config: Config): { label: string; text: string } {
  const { status, trial_end, current_period_end } = license.raw;
  const trial = status === 'trialing';
  if (when === 'now') {
    return {
      label: 'Now',
      text: trial
        ? 'Updating your plan ends your active trial.'
        : 'What you have paid for and not used is taken off.',
    };
  }
  const end = (trial ? trial_end : null) ?? current_period_end;
  const onDate = end ? `, on ${longDateOf(end)}` : '';
  return {
    label: trial ? `When my trial ends${onDate}` : `At the next renewal${onDate}`,
    text: keptPlanText(license, config),
  };
}
