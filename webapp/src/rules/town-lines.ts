import stateCodes from 'virtual:state-codes';

/** The part of an address that `townLines` formats. */
interface Town {
  city: string;
  state?: string;
  postal_code: string;
  /** The ISO code. */
  country: string;
}

/** The countries that write the postal code before the town and no state. */
const codeFirstCountries = new Set(
  'AT BE BG CH CZ DE DK EE ES FI FR GR HR HU IS IT LI LT LU NL NO PL PT RO SE SI SK'.split(' '),
);

/** Returns the lines of the town, the state and the postal code, as the country writes them. */
export function townLines({ city, state = '', postal_code, country }: Town): string[] {
  if (country === 'GB') return [city, postal_code].filter(Boolean);
  if (codeFirstCountries.has(country)) return nonEmptyLine(postal_code, city);
  if (country === 'NZ') return nonEmptyLine(city, postal_code);
  return nonEmptyLine(city, stateCodes[country]?.[state] ?? state, postal_code);
}

/** Returns the parts as a line; no line if all are empty. */
const nonEmptyLine = (...parts: string[]): string[] =>
  [parts.filter(Boolean).join(' ')].filter(Boolean);
