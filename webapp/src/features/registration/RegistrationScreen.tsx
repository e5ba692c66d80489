import { Navigate, useSearchParams } from 'react-router-dom';
import type { Config } from '@/api';
import { paths } from '@/app/paths';
import { type GateState, useGate } from '@/app/use-gate';
import { WithConfig } from '@/app/WithConfig';
import { useSession } from '@/features/session/session-store';
import { PageTitle } from '@/ui/PageTitle';
import { PlanSummary } from './PlanSummary';
import { RegistrationForm } from './RegistrationForm';
import type { Choice } from './registration-payload';
import { resolveChoice } from './resolve-choice';

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

/** The form for a plan that is sold here; a plan without a price is asked for on the contact page. */
function Registration({ config, choice: asked }: { config: Config; choice: Choice }) {
  const gate = useGate();
  const { choice, offer } = resolveChoice(config, asked);
  const price = offer?.price;
  if (offer && !price) {
    return <Navigate to={paths.contact(choice)} state={gate satisfies GateState} replace />;
  }
  return (
    <div className="mt-8 grid items-start gap-x-16 gap-y-10 lg:grid-cols-[minmax(0,5fr)_minmax(0,3fr)]">
      {offer && price && (
        <aside className="lg:sticky lg:top-6 lg:order-last">
          <PlanSummary offer={{ ...offer, price }} />
        </aside>
      )}
      <RegistrationForm choice={choice} country={config.defaults.country} />
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
