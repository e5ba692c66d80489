import { useDeferredValue } from 'react';
import type { Config } from '@/api';
import { useConfig } from '@/app/config-store';
import { paths } from '@/app/paths';
import { WithConfig } from '@/app/WithConfig';
import { useSession } from '@/features/session/session-store';
import { CheckIcon } from '@/ui/icons';
import { Link } from '@/ui/Link';
import { Notice } from '@/ui/Notice';
import { PageTitle } from '@/ui/PageTitle';
import { useMedia } from '@/ui/use-media';
import { ClosingSection } from './ClosingSection';
import { Comparison } from './Comparison';
import { FeatureList } from './FeatureList';
import { figuresOf } from './figures';
import { PlanCard } from './PlanCard';
import { PlanControls } from './PlanControls';
import { PlansSkeleton } from './PlansSkeleton';
import { usePlanAction } from './use-plan-action';
import { type PlansView, usePlans, useTrialUsed } from './use-plans';

/** Of like length, so that nothing moves when the session is known. */
const leads = {
  trial:
    'Video consultations with a waiting room of your own. Try any plan free for 7 days, and change it when your practice changes.',
  trialUsed:
    'Video consultations with a waiting room of your own. Choose the plan that fits you, and change it when your practice changes.',
};

/** Plan comparison and choice. */
export function PlansScreen() {
  const known = useKnown();
  const trialUsed = useTrialUsed();
  return (
    <div className="page pt-10 sm:pt-14">
      <PageTitle title="Plans and pricing">Plans for every practice</PageTitle>
      <p className="mt-3 mb-8 max-w-2xl text-lg text-muted">
        {trialUsed ? leads.trialUsed : leads.trial}
      </p>
      <WithConfig fallback={<PlansSkeleton />}>
        {(config) => (known ? <Plans config={config} /> : <PlansSkeleton />)}
      </WithConfig>
    </div>
  );
}

/**
 * Whether all is known that the plans are drawn from. They are much to draw: once it becomes known
 * a phone draws them a little at a time, and answers in between. Who comes back finds them at once,
 * or the browser could not go to where they were left.
 */
function useKnown(): boolean {
  const { status } = useSession();
  const config = useConfig();
  return useDeferredValue(status !== 'loading' && config !== null);
}

function Plans({ config }: { config: Config }) {
  const view = usePlans(config);
  return (
    <>
      <PlanControls view={view} currencies={config.currencies} />
      {view.mode === 'disabled' && <DisabledNotice view={view} />}
      <PlanCards config={config} view={view} />
      <ClosingSection trialUsed={view.trialUsed} />
    </>
  );
}

const DisabledNotice = ({ view }: { view: PlansView }) => (
  <Notice id="plans-disabled" live={false} className="mt-6">
    <DisabledReason view={view} />
  </Notice>
);

/** Why the buttons do nothing: a user is led to the page where they work. */
function DisabledReason({ view }: { view: PlansView }) {
  if (view.license?.isDev) {
    return 'You have a developer licence. It can’t be changed or bought here.';
  }
  if (!view.user) return 'This is a preview: you can compare the plans, and sign up later.';
  return (
    <p>
      You can compare the plans here.{' '}
      <Link to={paths.plans({ debug: true })} className="text-link">
        {view.trialUsed ? 'Change your plan' : 'Choose your plan'}
      </Link>
    </p>
  );
}

function PlanCards({ config, view }: { config: Config; view: PlansView }) {
  const { plans, rows, prices } = config.catalogue;
  const action = usePlanAction();
  const tabular = useMedia('(min-width: 48rem)');
  const compared = rows.filter(({ include }) => include);
  return (
    <div className="@container mt-6">
      <div className="plan-grid">
        <InEveryPlan trialUsed={view.trialUsed} />
        {plans.map((plan) => (
          <PlanCard
            key={plan.id}
            plan={plan}
            figures={figuresOf(prices, plan, view)}
            view={view}
            action={action}
          >
            {!tabular && <FeatureList plan={plan} rows={compared} />}
          </PlanCard>
        ))}
      </div>
      {tabular && <Comparison plans={plans} rows={compared} />}
    </div>
  );
}

const InEveryPlan = ({ trialUsed }: { trialUsed: boolean }) => (
  <div className="row-span-4 hidden pt-6 pr-2 @min-[69rem]:block">
    <h2 className="text-lg">In every plan</h2>
    <ul className="mt-3 space-y-2 text-sm">
      {[
        ...(trialUsed ? [] : ['Free for 7 days']),
        'Virtual waiting room',
        'No patient logins',
        'No software to download',
      ].map((text) => (
        <li key={text} className="flex gap-2">
          <CheckIcon size={18} className="mt-0.5 shrink-0 text-success" />
          {text}
        </li>
      ))}
    </ul>
  </div>
);
