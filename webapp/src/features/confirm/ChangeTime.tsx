import type { Config, License, When } from '@/api';
import { Card } from '@/components/Card';
import { Notice } from '@/components/Notice';
import { useConfig } from '@/modules/config/config-store';
import { keptPlanText } from '@/modules/payments/open-payment-text';
import { longDateOf } from '@/modules/session/dates';
import type { PlanChange } from './use-plan-change';
import { WhenChoice } from './WhenChoice';
import { renewalTime } from './when-options';

/** Offers the times at which the plan can change, or describes the only possible time. */
export function ChangeTime({ planChange }: { planChange: PlanChange }) {
  const config = useConfig();
  const { license, obstacle, options, when, setWhen } = planChange;
  if (!license || (obstacle && obstacle.kind !== 'no_card')) return null;
  if (options.length > 1) {
    const choices = options.map((value) => ({ value, ...whenText(value, license, config) }));
    return <WhenChoice options={choices} value={when} onChange={setWhen} />;
  }
  if (when === 'now') {
    return license.raw.status === 'trialing' ? (
      <Notice tone="attention" live={false}>
        <p>{trialEndsText}</p>
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

const trialEndsText = 'Updating your plan ends your active trial.';

/** Returns the label of a time and its effect on the current plan. */
function whenText(when: When, license: License, config: Config): { label: string; text: string } {
  const isTrial = license.raw.status === 'trialing';
  if (when === 'now') {
    return {
      label: 'Now',
      text: isTrial ? trialEndsText : 'What you have paid for and not used is taken off.',
    };
  }
  const end = renewalTime(license);
  const onDate = end ? `, on ${longDateOf(end)}` : '';
  return {
    label: isTrial ? `When my trial ends${onDate}` : `At the next renewal${onDate}`,
    text: keptPlanText(license, config),
  };
}
