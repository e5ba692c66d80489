import type { ComparisonRow, Plan } from '@/api';
import { CheckIcon, ChevronDownIcon, DashIcon } from '@/components/icons';
import { useMedia } from '@/lib/use-media';
import { PlanButton, type PlanButtonProps } from './PlanButton';
import type { PriceTexts } from './price-texts';

interface ComparisonProps extends Pick<PlanButtonProps, 'view' | 'planAction'> {
  plans: Plan[];
  rows: ComparisonRow[];
  priceTexts: (PriceTexts | null)[];
  /** The plan with a tinted column. */
  highlightedPlan: Plan | undefined;
}

/** The table of all features, aligned with the cards of the plans. On a phone it is collapsed. */
export function Comparison(props: ComparisonProps) {
  const isWide = useMedia('(min-width: 48rem)');
  const title = <h2 className="text-lg">{`All ${props.rows.length} features`}</h2>;
  if (isWide) {
    return (
      <div className="mt-12">
        {title}
        <ComparisonTable {...props} />
      </div>
    );
  }
  return (
    <details className="group mt-4">
      <summary className="flex min-h-14 items-center justify-between rounded-card border border-line bg-surface px-4">
        {title}
        <ChevronDownIcon className="group-open:rotate-180" />
      </summary>
      <ComparisonTable {...props} />
    </details>
  );
}

/** Returns the role attribute of an element of the table. The layout for phones removes the implicit role. */
const explicitRole = (role: string) => ({ role });

function ComparisonTable({
  plans,
  rows,
  priceTexts,
  highlightedPlan,
  ...buttonProps
}: ComparisonProps) {
  return (
    <table {...explicitRole('table')} className="comparison">
      <caption className="sr-only">What each plan includes</caption>
      <thead {...explicitRole('rowgroup')}>
        <tr {...explicitRole('row')}>
          <th {...explicitRole('columnheader')} scope="col">
            <span className="sr-only">Feature</span>
          </th>
          {plans.map((plan, index) => (
            <th
              key={plan.id}
              {...explicitRole('columnheader')}
              scope="col"
              data-highlighted={plan === highlightedPlan || undefined}
            >
              <span>{plan.displayName}</span>
              <span className="text-sm font-normal max-md:hidden">
                {priceTexts[index] && (
                  <span className="figures ml-2 text-muted">{`${priceTexts[index].perMonth} per month`}</span>
                )}
                <span className="mt-1 block">
                  <PlanButton
                    {...buttonProps}
                    plan={plan}
                    hasPrice={priceTexts[index] !== null}
                    size="small"
                  />
                </span>
              </span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody {...explicitRole('rowgroup')}>
        {rows.map(({ name, label, secondary }) => (
          <tr key={name} {...explicitRole('row')}>
            <th {...explicitRole('rowheader')} scope="row">
              <span>{label}</span>
              {secondary && <span className="block font-normal text-muted">{secondary}</span>}
            </th>
            {plans.map((plan) => (
              <td
                key={plan.id}
                {...explicitRole('cell')}
                data-highlighted={plan === highlightedPlan || undefined}
              >
                <CapabilityValue value={plan.capabilities[name]} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The value of a capability: a text, or a tick or a dash with a text alternative. */
function CapabilityValue({ value }: { value: boolean | string | undefined }) {
  if (typeof value === 'string') return <span>{value}</span>;
  return (
    <>
      {value ? (
        <CheckIcon className="-ml-1 inline text-success" />
      ) : (
        <DashIcon className="-ml-1 inline text-muted" />
      )}
      <span className="sr-only">{value ? 'Included' : 'Not included'}</span>
    </>
  );
}
