import { cleanCode } from './codes';
import { asciiUpper } from './letter-case';
import { trim, whitespace } from './text';

/** The types of tax ids, as the payment provider names them. */
export type TaxIdType = 'au_abn' | 'nz_gst' | 'gb_vat' | 'eu_vat';

interface TaxIdRule {
  /** The countries in which a billing address can have such a tax id. */
  countries: string[];
  /** The pattern of a tax id that `taxIdValue` has normalised. */
  format: RegExp;
  /** The message for an address in another country. */
  countryMessage: string;
  /** The message for a tax id that does not match. */
  formatMessage: string;
}

/** The patterns of the European Commission's VIES service. EL is Greece, XI Northern Ireland. */
const euVatPattern = new RegExp(
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
    countryMessage: 'An ABN needs an address in Australia',
    formatMessage: 'This is not a valid ABN',
  },
  nz_gst: {
    countries: ['NZ'],
    format: /^[0-9]{8,9}$/,
    countryMessage: 'A GST number needs an address in New Zealand',
    formatMessage: 'A GST number has 8 or 9 digits',
  },
  gb_vat: {
    countries: ['GB', 'IM'],
    format: /^GB([0-9]{9}|[0-9]{12}|GD[0-9]{3}|HA[0-9]{3})$/,
    countryMessage: 'A UK VAT number needs an address in the United Kingdom',
    formatMessage: 'A UK VAT number is like GB123456789',
  },
  eu_vat: {
    countries:
      'AT BE BG CY CZ DE DK EE ES FI FR GB GR HR HU IE IT LT LU LV MC MT NL PL PT RO SE SI SK'.split(
        ' ',
      ),
    format: euVatPattern,
    countryMessage: 'An EU VAT number needs an address in the European Union',
    formatMessage: 'This is not a valid EU VAT number',
  },
};

const isTaxIdType = (text: string): text is TaxIdType => Object.hasOwn(rules, text);

/** Returns the types of tax ids that an address in a country can have, the usual one first. */
export const taxIdTypes = (country: string): TaxIdType[] =>
  Object.keys(rules)
    .filter(isTaxIdType)
    .filter((type) => rules[type].countries.includes(country));

const punctuation = new RegExp(`[${whitespace}\\x85./-]`, 'gu');

/**
 * Returns a tax id in upper case, without spaces and punctuation. Adds the prefix GB to a British VAT number without one.
 */
export function taxIdValue(type: string, input: string): string {
  const value = asciiUpper(cleanCode(input).replace(punctuation, ''));
  return trim(type) === 'gb_vat' && /^[0-9]+$/.test(value) ? `GB${value}` : value;
}

/**
 * Returns a stored tax id as it is displayed: an ABN in the groups in which it is issued, "51 824 753 556", others
 * unchanged.
 */
export const taxIdText = ({ type, value }: { type: string; value: string }): string =>
  type === 'au_abn' && rules.au_abn.format.test(value)
    ? value.replace(/^(..)(...)(...)/, '$1 $2 $3 ')
    : value;

/** Returns the message for a tax id with an address in a country, or "" when it is valid. */
export function taxIdMessage(type: string, input: string, country: string): string {
  const taxIdType = trim(type);
  if (!isTaxIdType(taxIdType)) return 'Unknown type of tax id';
  const value = taxIdValue(taxIdType, input);
  if (value === '') return 'Tax id is required';
  const { countries, format, countryMessage, formatMessage } = rules[taxIdType];
  if (!countries.includes(country)) return countryMessage;
  const isValid = format.test(value) && (taxIdType !== 'au_abn' || hasAbnChecksum(value));
  return isValid ? '' : formatMessage;
}

/** The weights of the digits of an ABN. */
const abnWeights = [10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19];

/**
 * Whether the checksum of an ABN is correct: 1 is subtracted from the first digit, which has the weight 10, and the
 * weighted sum of the digits is then a multiple of 89.
 */
function hasAbnChecksum(digits: string): boolean {
  const sum = abnWeights.reduce(
    (total, weight, index) => total + weight * Number(digits[index]),
    0,
  );
  return (sum - 10) % 89 === 0;
}
