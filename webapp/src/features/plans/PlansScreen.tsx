import { useDeferredValue } from 'react';
import { Link } from 'react-router-dom';
import type { Config } from '@/api';
import { CheckIcon } from '@/components/icons';
import { CardSkeleton, Skeleton } from '@/components/Loading';
import { Notice } from '@/components/Notice';
import { PageTitle } from '@/components/PageTitle';
import { WithConfig } from '@/components/WithConfig';
import { useConfig } from '@/lib/config-store';
import { paths } from '@/lib/paths';
import { useSession } from '@/lib/session-store';
import { useMedia } from '@/lib/use-media';
import { Comparison, FeatureList } from './Comparison';
import { figuresOf } from './figures';
import { PlanCard } from './PlanCard';
import { PlanControls } from './PlanControls';
import { usePlanAction } from './use-plan-action';
import { type PlansView, usePlans, useTrialUsed } from './use-plans';

/** Equal in length, so that the layout does not shift when the session loads. */
const introductions = {
  trial:
    'Video consultations with a waiting room of your own. Try any plan free for 7 days, and change it when your practice changes.',
  trialUsed:
    'Video consultations with a waiting room of your own. Choose the plan that fits you, and change it when your practice changes.',
};

/** Plan comparison and choice. */
export default function PlansScreen() {
  const isLoaded = usePlansLoaded();
  const trialUsed = useTrialUsed();
  return (
    <div className="page pt-10 sm:pt-14">
      <PageTitle title="Plans and pricing">Plans for every practice</PageTitle>
      <p className="mt-3 mb-8 max-w-2xl text-lg text-muted">
        {trialUsed ? introductions.trialUsed : introductions.trial}
      </p>
      <WithConfig fallback={<PlansSkeleton />}>
        {(config) => (isLoaded ? <Plans config={config} /> : <PlansSkeleton />)}
      </WithConfig>
    </div>
  );
}

/**
 * Whether the data of the plans is loaded. Rendering them is slow on phones, so it is deferred and
 * interruptible when the data arrives. After Back they are rendered at once, so that the browser can
 * restore the scroll position.
 */
function usePlansLoaded(): boolean {
  const { status } = useSession();
  const config = useConfig();
  return useDeferredValue(status !== 'loading' && config !== null);
}

function Plans({ config }: { config: Config }) {
  const view = usePlans(config);
  return (
    <>
      <PlanControls view={view} config={config} />
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

/** The reason the buttons are disabled, with a link to the enabled page for users. */
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
  const { plans, rows } = config.catalogue;
  const action = usePlanAction();
  const tabular = useMedia('(min-width: 48rem)');
  const comparedRows = rows.filter(({ include }) => include);
  return (
    <div className="@container mt-6">
      <div className="plan-grid">
        <InEveryPlan trialUsed={view.trialUsed} />
        {plans.map((plan) => (
          <PlanCard
            key={plan.id}
            plan={plan}
            figures={figuresOf(config.catalogue, plan, view)}
            view={view}
            action={action}
          >
            {!tabular && <FeatureList plan={plan} rows={comparedRows} />}
          </PlanCard>
        ))}
      </div>
      {tabular && <Comparison plans={plans} rows={comparedRows} />}
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

/** Placeholder for the controls and cards. */
function PlansSkeleton() {
  return (
    <>
      <p role="status" className="sr-only">
        Loading...
      </p>
      <div className="flex flex-wrap justify-between gap-4">
        <Skeleton className="h-13 w-72" />
        <Skeleton className="h-13 w-96 max-w-full" />
      </div>
      <div className="@container mt-6">
        <div className="plan-grid">
          <div className="row-span-4 hidden @min-[69rem]:block" />
          {['a', 'b', 'c', 'd'].map((key) => (
            <CardSkeleton key={key} className="row-span-4 h-80" />
          ))}
        </div>
      </div>
    </>
  );
}

/** The closing section: advertises the trial until it was used. */
function ClosingSection({ trialUsed }: { trialUsed: boolean }) {
  return (
    <section
      aria-labelledby="closing"
      className="mt-16 rounded-card bg-brand-soft px-6 py-10 text-center sm:py-14"
    >
      <h2 id="closing" className="text-2xl">
        {trialUsed ? 'A plan for where your practice is now' : 'Try Vision for 7 days for free'}
      </h2>
      <p className="mx-auto mt-3 max-w-2xl text-lg">
        {trialUsed
          ? 'You see what you pay before you confirm. There are no patient logins and no software to download, whichever plan you choose.'
          : 'Every plan starts with a 7-day free trial. Sign up today: there are no patient logins and no software to download, so your next consultation can be a video call.'}
      </p>
    </section>
  );
}
