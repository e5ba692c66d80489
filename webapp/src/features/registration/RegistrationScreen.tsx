import { Navigate, useSearchParams } from 'react-router-dom';
import type { Config } from '@/api';
import { paths } from '@/app/paths';
import { useGate } from '@/app/use-gate';
import { WithConfig } from '@/app/WithConfig';
import { offerOf } from '@/features/payment/offer';
import { useSession } from '@/features/session/session-store';
import { PageTitle } from '@/ui/PageTitle';
import { PlanSummary } from './PlanSummary';
import { RegistrationForm } from './RegistrationForm';
import type { Choice } from './registration-payload';
import { soldChoice } from './sold-choice';

/** Registration, for a visitor who has chosen a plan. Everybody else is sent where they belong. */
export function RegistrationScreen() {
  const gate = useGate();
  const choice = useChoice();
  const { status } = useSession();
  if (!choice) return <Navigate to={paths.plans(gate)} replace />;
  if (status === 'signedIn') return <Navigate to={paths.dash(gate)} replace />;
  if (status === 'loading') return null;
  return (
    <div className="page max-w-5xl pt-10 sm:pt-14">
      <PageTitle>Create your account</PageTitle>
      <WithConfig>{(config) => <Registration config={config} choice={choice} />}</WithConfig>
    </div>
  );
}

function Registration({ config, choice }: { config: Config; choice: Choice }) {
  const offer = offerOf(config, choice);
  return (
    <div className="mt-8 grid items-start gap-x-16 gap-y-10 lg:grid-cols-[minmax(0,5fr)_minmax(0,3fr)]">
      {offer && (
        <aside className="lg:sticky lg:top-6 lg:order-last">
          <PlanSummary offer={offer} />
        </aside>
      )}
      <RegistrationForm choice={soldChoice(config, choice)} country={config.defaults.country} />
    </div>
  );
}

/** What was chosen on the plans page; null when a part of it is missing. */
function useChoice(): Choice | null {
  const [query] = useSearchParams();
  const [product, interval, currency] = ['product', 'interval', 'currency'].map((name) =>
    query.get(name),
  );
  return product && interval && currency ? { product, interval, currency } : null;
}
