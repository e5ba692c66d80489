import type { Catalogue, ComparisonRow, Plan } from '@/api';
import { CheckIcon, CrossIcon } from '@/components/icons';

/** The comparison table, in the columns of the cards, with a sticky head. */
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

/** The name of a row, with its conditions. */
const RowLabel = ({ row: { label, secondary } }: { row: ComparisonRow }) => (
  <>
    <span>{label}</span>
    {secondary && <span className="block text-muted">{secondary}</span>}
  </>
);

/** The value of one capability: a tick or a cross with a text alternative, or a text. */
function CapabilityValue({ value }: { value: boolean | string | undefined }) {
  if (typeof value === 'string') return <span>{value}</span>;
  return (
    <>
      {value ? (
        <CheckIcon className="inline text-success" />
      ) : (
        <CrossIcon className="inline text-muted" />
      )}
      <span className="sr-only">{value ? 'Included' : 'Not included'}</span>
    </>
  );
}

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
