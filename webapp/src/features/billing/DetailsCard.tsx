import { Link } from 'react-router-dom';
import { Card } from '@/components/Card';
import { paths } from '@/lib/paths';
import { useGate } from '@/lib/use-gate';

/** A card with a link to the billing details. */
export function DetailsCard() {
  const gate = useGate();
  return (
    <Card aria-labelledby="details">
      <h2 id="details" className="mb-2 text-lg">
        Billing details
      </h2>
      <p className="text-muted">Name, address and tax number on your invoices.</p>
      <p className="mt-2">
        <Link to={paths.details(gate)} className="text-link inline-block py-1">
          Change billing details
        </Link>
      </p>
    </Card>
  );
}
