import type { Plan } from '@/api';
import { buttonClass } from '@/components/Button';
import { type Step, Steps } from '@/components/Steps';
import { routes } from '@/lib/paths';
import { can } from '@/modules/config/capabilities';
import { type ScreenConfig, useConfig } from '@/modules/config/config-store';
import { AppLink } from '@/modules/session/AppLink';
import { longDate } from '@/modules/session/dates';
import { PlanButton, type PlanButtonProps } from './PlanButton';
import type { FormatPrice } from './price-texts';
import type { PlansView } from './use-plans-view';

interface ClosingSectionProps extends Pick<PlanButtonProps, 'view' | 'planAction'> {
  /** The plan whose trial is offered. */
  plan: Plan | undefined;
  format: FormatPrice | null;
}

/**
 * The end of the page: the offer of a trial with its charges, or a link to the contact page for customers who can't start a
 * trial.
 */
export function ClosingSection({ plan, format, ...buttonProps }: ClosingSectionProps) {
  const config = useConfig();
  const { offersTrial, hasOrder, license } = buttonProps.view;
  const canStart = offersTrial && !hasOrder && !license?.isDev;
  const steps = plan && format && canStart && trialSteps(config, plan, buttonProps.view, format);
  return (
    <section
      aria-labelledby="closing"
      className="mt-8 grid items-center gap-x-16 gap-y-6 rounded-card border border-line bg-surface px-4 py-6 md:mt-16 md:p-10 @min-[60rem]:grid-cols-[minmax(0,1fr)_27.5rem]"
    >
      <div>
        <h2 id="closing" className="text-xl md:text-2xl">
          {offersTrial ? 'Try Vision for 7 days for free' : 'A plan for where your practice is now'}
        </h2>
        <p className="mt-2 mb-4 text-muted">
          {offersTrial
            ? 'Every plan starts with a 7-day free trial. Sign up today: there are no patient logins and no software to download, so your next consultation can be a video call.'
            : 'You see what you pay before you confirm. There are no patient logins and no software to download, whichever plan you choose.'}
        </p>
        {steps ? (
          <PlanButton {...buttonProps} plan={plan} hasPrice size="inline" />
        ) : (
          <AppLink to={routes.contact} className={buttonClass('secondary')}>
            Ask us a question
          </AppLink>
        )}
      </div>
      {steps && (
        <div className="figures">
          <p className="mb-4 text-sm font-semibold">{`${plan.displayName}, if you start today`}</p>
          <Steps steps={steps} />
        </div>
      )}
    </section>
  );
}

/** Returns the steps of a trial that starts today, with their charges, or null for a plan without a price or trial. */
function trialSteps(
  config: ScreenConfig,
  plan: Plan,
  { currency, interval }: PlansView,
  format: FormatPrice,
): Step[] | null {
  const days = plan.trialPeriodDays;
  const price = config.catalogue.prices[plan.id]?.[currency]?.[interval] ?? null;
  if (price === null || days === 0) return null;
  const trialEnd = new Date();
  trialEnd.setDate(trialEnd.getDate() + days);
  return [
    {
      title: 'Today',
      text: `Your ${days}-day free trial starts`,
      amount: format(0),
      status: 'current',
    },
    {
      title: longDate(trialEnd, config.timeZone),
      text: `First charge, for one ${interval === 'yearly' ? 'year' : 'month'}`,
      amount: format(price),
    },
    ...(can(config, 'billing') && can(config, 'at_period_end')
      ? [{ title: 'Any time', text: 'End it on your dashboard' }]
      : []),
  ];
}
