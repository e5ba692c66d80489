import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Plugin } from 'vite';
import stateCodes from '../../domain/account/data/state-codes.json' with { type: 'json' };

const countriesId = 'virtual:countries';
const stateCodesId = 'virtual:state-codes';
const timeZonesId = 'virtual:time-zones';
const regionsId = 'virtual:regions/';

interface Country {
  countryShortCode: string;
  regions: { name: string }[];
}

/** Countries that the package lacks. */
const missingCountries: Country[] = [{ countryShortCode: 'SJ', regions: [] }];

/**
 * The countries in which the region is chosen from a list. Their postal addresses contain the region, and the package's
 * list agrees with ISO 3166-2 (compared in November 2026). For the other countries the region is typed, because most of
 * the package's lists are unsuitable. Some have a single dummy entry (FK, HK). Some have regions that are not part of an
 * address (the 217 authorities of GB, CH). Others are outdated (CI, FR, ID, KR, NO, NP, PK, VN).
 */
const codesWithRegions = new Set(
  'AE AR AT AU BO BR CA CL CN CO CR DE EC GT HN IE IN JP MX MY NG NL NZ PL PT SE SV US UY ZA'.split(
    ' ',
  ),
);

/** Returns all countries. Regions are included only where they are chosen from a list. */
export function readCountries(): Country[] {
  const path = createRequire(import.meta.url).resolve('country-region-data/data.json');
  const countries: Country[] = JSON.parse(readFileSync(path, 'utf8'));
  return [...countries, ...missingCountries].map(({ countryShortCode, regions }) => ({
    countryShortCode,
    regions: codesWithRegions.has(countryShortCode) ? regions : [],
  }));
}

/** Returns the time zones of `domain/timezone`, by country, and by country and state in lower case: "AU/victoria". */
export function readTimeZones(): Record<string, string> {
  const path = new URL('../../domain/timezone/data/zones.tsv', import.meta.url);
  const rows = readFileSync(path, 'utf8').trim().split('\n');
  return Object.fromEntries(
    rows.map((row) => {
      const [country = '', state, zone = ''] = row.split('\t');
      return [state ? `${country}/${state.toLowerCase()}` : country, zone];
    }),
  );
}

/**
 * Provides the countries as `virtual:countries`, the codes of states in addresses as `virtual:state-codes`, and the time
 * zones of countries and states as `virtual:time-zones`. The regions of each country are a separate module, so that a
 * visitor loads the regions of only one country.
 */
export function countryRegions(): Plugin {
  const countries = readCountries();
  return {
    name: 'country-regions',
    resolveId: (id) =>
      [countriesId, stateCodesId, timeZonesId].includes(id) || id.startsWith(regionsId)
        ? `\0${id}`
        : undefined,
    load(id) {
      if (id === `\0${countriesId}`) return countriesModule(countries);
      if (id === `\0${stateCodesId}`) return `export default ${JSON.stringify(stateCodes)};`;
      if (id === `\0${timeZonesId}`) return `export default ${JSON.stringify(readTimeZones())};`;
      if (!id.startsWith(`\0${regionsId}`)) return undefined;
      const code = id.slice(regionsId.length + 1);
      const country = countries.find(({ countryShortCode }) => countryShortCode === code);
      return `export default ${JSON.stringify(country?.regions.map(({ name }) => name) ?? [])};`;
    },
  };
}

function countriesModule(countries: Country[]): string {
  const codes = countries.map(({ countryShortCode }) => countryShortCode);
  const loaders = countries
    .filter(({ regions }) => regions.length > 0)
    .map(({ countryShortCode: code }) => `${code}: () => import('${regionsId}${code}')`);
  return `export const countryCodes = ${JSON.stringify(codes)};\nexport const regions = {${loaders}};`;
}
