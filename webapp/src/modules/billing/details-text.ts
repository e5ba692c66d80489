import type { Buyer } from '@/api';
import type { TaxIdType } from '@/rules/tax-id';
import { townLines } from '@/rules/town-lines';

/** The names of the tax id types. */
export const taxIdNames: Record<TaxIdType, string> = {
  au_abn: 'ABN',
  nz_gst: 'GST number',
  gb_vat: 'UK VAT number',
  eu_vat: 'EU VAT number',
};

/** Returns the addressee of invoices in lines: name, street, city and country, tax id. */
export function buyerLines({ name, address, taxId }: Omit<Buyer, 'purchaseOrder'>): string[] {
  const { line1, line2, country } = address;
  const town = townLines(address);
  return [
    name,
    join([line1, line2], ', '),
    ...town.slice(0, -1),
    join([town.at(-1), countryName(country)], ', '),
    taxId ? join([taxIdNames[taxId.type as TaxIdType], taxId.value], ' ') : '',
  ].filter(Boolean);
}

const join = (parts: (string | undefined)[], separator: string): string =>
  parts.filter(Boolean).join(separator);

/** Returns the name of a country in the language of the page, or its code if the browser has no name for it. */
function countryName(code: string): string {
  try {
    const language = document.documentElement.lang || 'en';
    return new Intl.DisplayNames([language], { type: 'region' }).of(code) ?? code;
  } catch {
    return code; // not the code of a region
  }
}
