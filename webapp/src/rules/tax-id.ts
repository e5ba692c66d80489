import { upper } from './letter-case';
import { trim, visible, whitespace } from './text';

/** The types of tax ids, as the payment provider names them. */
export type TaxIdType = 'au_abn' | 'nz_gst' | 'gb_vat' | 'eu_vat';

interface TaxIdRule {
  /** The countries in whose billing addresses it is valid. */
  countries: string[];
  /** The format of a number in upper case without punctuation. */
  format: RegExp;
  /** The message for an address in another country. */
  foreign: string;
  /** The message for a wrong number. */
  invalid: string;
}

/** The formats of the European Commission's VIES service. EL is Greece, XI Northern Ireland. */
const euVat = new RegExp(
  `^(${[
    'ATU[0-9]{8}',
    'BE[01][0-9]{9}',
    'BG[0-9]{9,10}',
    'CY[0-9]{8}[A-Z]',
    'CZ[0-9]{8,10}',
    '(DE|EE|EL|PT)[0-9]{9}',
    '(DK|FI|HU|LU|MT|SI)[0-9]{8}',
    'ES[A-Z0-9][0-9]{7}[A-Z0-9]',
    'FR[A-HJ-NP-Z0-9]{2}[0-9]{9}',
    '(HR|IT|LV)[0-9]{11}',
    'IE([0-9]{7}[A-W][A-I]?|[0-9][A-Z+*][0-9]{5}[A-W])',
    'LT([0-9]{9}|[0-9]{12})',
    'NL[0-9]{9}B[0-9]{2}',
    '(PL|SK)[0-9]{10}',
    'RO[0-9]{2,10}',
    'SE[0-9]{12}',
    'XI([0-9]{9}|[0-9]{12}|GD[0-9]{3}|HA[0-9]{3})',
  ].join('|')})$`,
);

const rules: Record<TaxIdType, TaxIdRule> = {
  au_abn: {
    countries: ['AU', 'CC', 'CX', 'NF'],
    format: /^[1-9][0-9]{10}$/,
    foreign: 'An ABN needs an address in Australia',
    invalid: 'This is not a valid ABN',
  },
  nz_gst: {
    countries: ['NZ'],
    format: /^[0-9]{8,9}$/,
    foreign: 'A GST number needs an address in New Zealand',
    invalid: 'A GST number has 8 or 9 digits',
  },
  gb_vat: {
    countries: ['GB', 'IM'],
    format: /^GB([0-9]{9}|[0-9]{12}|GD[0-9]{3}|HA[0-9]{3})$/,
    foreign: 'A UK VAT number needs an address in the United Kingdom',
    invalid: 'A UK VAT number is like GB123456789',
  },
  eu_vat: {
    countries: (
      'AT BE BG CY CZ DE DK EE ES FI FR GB GR HR HU IE IT LT LU LV ' + 'MC MT NL PL PT RO SE SI SK'
    ).split(' '),
    format: euVat,
    foreign: 'An EU VAT number needs an address in the European Union',
    invalid: 'This is not a valid EU VAT number',
  },
};

const isType = (text: string): text is TaxIdType => Object.hasOwn(rules, text);

/** The types of tax ids that an address in a country can have, the usual one first. */
export const taxIdTypes = (country: string): TaxIdType[] =>
  Object.keys(rules)
    .filter(isType)
    .filter((type) => rules[type].countries.includes(country));

const punctuation = new RegExp(`[${whitespace}./-]`, 'gu');

/** The number in capitals, without spaces and punctuation. A British one gets its prefix. */
export function taxIdValue(type: string, typed: string): string {
  const value = upper(visible(typed).replace(punctuation, ''));
  return trim(type) === 'gb_vat' && /^[0-9]+$/.test(value) ? `GB${value}` : value;
}

/** The message for a tax id with an address in a country, or "" when it is valid. */
export function taxIdMessage(type: string, typed: string, country: string): string {
  const name = trim(type);
  if (!isType(name)) return 'Unknown type of tax id';
  const value = taxIdValue(name, typed);
  if (value === '') return 'Tax id is required';
  const { countries, format, foreign, invalid } = rules[name];
  if (!countries.includes(country)) return foreign;
  return format.test(value) && (name !== 'au_abn' || isAbn(value)) ? '' : invalid;
}

const weights = [10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19];

/**
 * The checksum of an ABN: the sum of its digits by weight, after 1 is subtracted from the first, is
 * a multiple of 89.
 */
function isAbn(digits: string): boolean {
  const sum = weights.reduce((total, weight, index) => total + weight * Number(digits[index]), 0);
  return (sum - 10) % 89 === 0;
}
