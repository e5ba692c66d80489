import type { Catalogue } from '@/api';

/** 'includes 10 % GST', the tax in the prices of a currency; empty where they include none. */
export function includedTaxText({ taxes }: Pick<Catalogue, 'taxes'>, currency: string): string {
  const tax = taxes?.[currency];
  return tax ? `includes ${tax.percentage} % ${tax.name}` : '';
}
