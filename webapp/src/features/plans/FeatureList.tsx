import type { ComparisonRow, Plan } from '@/api';
import { CapabilityValue } from './CapabilityValue';
import { RowLabel } from './Comparison';

/** What one plan includes, for screens too narrow for the table. */
export function FeatureList({ plan, rows }: { plan: Plan; rows: ComparisonRow[] }) {
  return (
    <dl className="mt-5 border-t border-line text-sm">
      {rows.map((row) => (
        <div
          key={row.name}
          className="flex justify-between gap-4 border-b border-line py-2.5 last:border-0"
        >
          <dt>
            <RowLabel row={row} />
          </dt>
          <dd className="shrink-0 text-right font-medium">
            <CapabilityValue value={plan.capabilities[row.name]} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
