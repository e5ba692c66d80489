import type { ComparisonRow, Plan } from '@/api';

/** The title and the items of the feature list on the card of a plan. */
export interface PlanSummary {
  /** "Everything in Standard, and". */
  title: string;
  items: string[];
}

/**
 * Returns for each plan the features that it adds to the previous plan, from the rows in which the plans differ. If a
 * plan lacks a feature of the previous plan, its summary lists all its features of these rows.
 */
export function summariesOf(plans: Plan[], rows: ComparisonRow[]): PlanSummary[] {
  const capabilityOf = (plan: Plan, { name }: ComparisonRow) => plan.capabilities[name] ?? false;
  const distinctiveRows = rows.filter(
    (row) => new Set(plans.map((plan) => capabilityOf(plan, row))).size > 1,
  );
  return plans.map((plan, index) => {
    const previousPlan = plans[index - 1];
    const extendsPrevious =
      previousPlan &&
      distinctiveRows.every((row) => capabilityOf(plan, row) || !capabilityOf(previousPlan, row));
    const isInherited = (row: ComparisonRow) =>
      extendsPrevious && capabilityOf(plan, row) === capabilityOf(previousPlan, row);
    return {
      title: extendsPrevious
        ? `Everything in ${previousPlan.displayName}, and`
        : `${plan.displayName} gives you`,
      items: distinctiveRows
        .filter((row) => capabilityOf(plan, row) && !isInherited(row))
        .map((row) => itemText(row, capabilityOf(plan, row))),
    };
  });
}

/**
 * Returns the text of a feature: the label of the row or, if the value is a text, both in words such as "8 callers in a
 * call".
 */
function itemText({ name, label }: ComparisonRow, value: boolean | string): string {
  if (typeof value === 'boolean') return label;
  switch (name) {
    case 'maxAttendees':
      return `${value} callers in a call`;
    case 'seats':
      return `${capitalize(value)} user ${value === '1' ? 'license' : 'licenses'}`;
    case 'maxDuration':
      return /\d/.test(value) ? `Calls of up to ${value}` : `${capitalize(value)} calls`;
    default:
      return `${label}: ${value}`;
  }
}

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
