import type { Buyer } from '@/api';
import { countryNames } from '@/lib/intl/names';
import { type TaxIdType, taxIdText } from '@/rules/tax-id';
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
    join([town.at(-1), countryNames()(country)], ', '),
    taxId ? join([taxIdNames[taxId.type as TaxIdType], taxIdText(taxId)], ' ') : '',
  ].filter(Boolean);
}

const join = (parts: (string | undefined)[], separator: string): string =>
  parts.filter(Boolean).join(separator);
