import type { Catalogue } from '@/api';

/** '10 % GST', the tax that the prices of a currency include; empty where they include none. */
export function taxText({ taxes }: Pick<Catalogue, 'taxes'>, currency: string): string {
  const tax = taxes?.[currency];
  return tax ? `${tax.percentage} % ${tax.name}` : '';
}
