import type { Catalogue, ComparisonRow } from '@/api';
import { CapabilityValue } from './CapabilityValue';

/** The plans side by side, in the columns of their cards; the names stay in sight. */
export function Comparison({ plans, rows }: Pick<Catalogue, 'plans' | 'rows'>) {
  return (
    <table className="mt-8 w-full table-fixed border-separate border-spacing-0">
      <caption className="sr-only">What each plan includes</caption>
      <colgroup>
        <col className="w-1/5 @min-[69rem]:w-[16%]" />
        <col span={plans.length} />
      </colgroup>
      <thead>
        <tr>
          <th scope="col" className={headClass}>
            <span className="sr-only">Feature</span>
          </th>
          {plans.map((plan) => (
            <th key={plan.id} scope="col" className={`${headClass} text-center`}>
              {plan.displayName}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.name} className="hover:bg-surface">
            <th
              scope="row"
              className="border-b border-line py-3 pr-2 text-left text-sm font-normal"
            >
              <RowLabel row={row} />
            </th>
            {plans.map((plan) => (
              <td key={plan.id} className="border-b border-line px-2 py-3 text-center">
                <CapabilityValue value={plan.capabilities[row.name]} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const headClass = 'sticky top-0 z-10 border-b border-line bg-paper px-2 py-3 font-semibold';

/** A row's name, with its small print where conditions apply. */
export const RowLabel = ({ row: { label, secondary } }: { row: ComparisonRow }) => (
  <>
    <span>{label}</span>
    {secondary && <span className="block text-muted">{secondary}</span>}
  </>
);
