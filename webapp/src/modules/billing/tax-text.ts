import type { Catalogue } from '@/api';

// This function is in a separate file, because the plans page loads nothing else of this module.

/** Returns the tax that the prices of a currency include, '10 % GST'; empty if they include none. */
export function taxRateText({ taxes }: Pick<Catalogue, 'taxes'>, currency: string): string {
  const tax = taxes?.[currency];
  return tax ? `${tax.percentage} % ${tax.name}` : '';
}
