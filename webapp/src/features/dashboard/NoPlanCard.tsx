import { paths } from '@/app/paths';
import { useOpenGate } from '@/app/use-gate';
import { buttonClass } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { Link } from '@/ui/Link';

/** An organisation that has bought nothing and chosen nothing yet. */
export function NoPlanCard() {
  const gate = useOpenGate();
  return (
    <Card aria-labelledby="no-plan">
      <h2 id="no-plan" className="text-xl">
        You have no plan yet
      </h2>
      <p className="mt-3 text-muted">
        Choose one to begin: every plan is free for the first days, and you can change it later.
      </p>
      <Link to={paths.plans(gate)} className={`${buttonClass()} mt-5`}>
        Choose a plan
      </Link>
    </Card>
  );
}
