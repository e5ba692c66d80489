import type { ComparisonRow, Plan } from '@/api';

/** The list of features on the card of a plan. */
export interface PlanSummary {
  /** "Everything in Standard, and". */
  title: string;
  items: string[];
}

/**
 * Returns what each plan adds to the one before it, from the rows in which the plans differ. A plan that lacks
 * something of the one before it lists all that it has.
 */
export function summariesOf(plans: Plan[], rows: ComparisonRow[]): PlanSummary[] {
  const valueIn = (plan: Plan, { name }: ComparisonRow) => plan.capabilities[name] ?? false;
  const differing = rows.filter((row) => new Set(plans.map((plan) => valueIn(plan, row))).size > 1);
  return plans.map((plan, index) => {
    const before = plans[index - 1];
    const base = before && differing.every((row) => valueIn(plan, row) || !valueIn(before, row));
    return {
      title: base ? `Everything in ${before.displayName}, and` : `${plan.displayName} gives you`,
      items: differing
        .filter(
          (row) => valueIn(plan, row) && !(base && valueIn(plan, row) === valueIn(before, row)),
        )
        .map((row) => itemText(row, valueIn(plan, row))),
    };
  });
}

/** "8 callers in a call" for a capability with a text, the row's label for one without. */
function itemText({ name, label }: ComparisonRow, value: boolean | string): string {
  if (typeof value === 'boolean') return label;
  switch (name) {
    case 'maxAttendees':
      return `${value} callers in a call`;
    case 'seats':
      return `${capitalized(value)} user ${value === '1' ? 'license' : 'licenses'}`;
    case 'maxDuration':
      return /\d/.test(value) ? `Calls of up to ${value}` : `${capitalized(value)} calls`;
    default:
      return `${label}: ${value}`;
  }
}

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
