import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Plugin } from 'vite';

const listId = 'virtual:countries';
const regionsId = 'virtual:regions/';

interface Country {
  countryName: string;
  countryShortCode: string;
  regions: { name: string }[];
}

/** What the package leaves out. Nobody there has a region of theirs in an address. */
const missing: Country[] = [
  { countryName: 'Svalbard and Jan Mayen', countryShortCode: 'SJ', regions: [] },
];

/** Every country of the country-region-data package, by name. */
export function readCountries(): Country[] {
  const path = createRequire(import.meta.url).resolve('country-region-data/data.json');
  const countries: Country[] = JSON.parse(readFileSync(path, 'utf8'));
  const byName = new Intl.Collator('en').compare;
  return [...countries, ...missing].sort((a, b) => byName(a.countryName, b.countryName));
}

/**
 * Gives the countries to the app as `virtual:countries`, and the regions of each as a module of its
 * own, so that a visitor loads the regions of one country and not those of all.
 */
export function countryRegions(): Plugin {
  const countries = readCountries();
  return {
    name: 'country-regions',
    resolveId: (id) => (id === listId || id.startsWith(regionsId) ? `\0${id}` : undefined),
    load(id) {
      if (id === `\0${listId}`) return listModule(countries);
      if (!id.startsWith(`\0${regionsId}`)) return undefined;
      const code = id.slice(regionsId.length + 1);
      const country = countries.find(({ countryShortCode }) => countryShortCode === code);
      return `export default ${JSON.stringify(country?.regions.map(({ name }) => name) ?? [])};`;
    },
  };
}

function listModule(countries: Country[]): string {
  const names = countries.map(({ countryShortCode, countryName }) => [
    countryShortCode,
    countryName,
  ]);
  const loaders = countries
    .filter(({ regions }) => regions.length > 0)
    .map(({ countryShortCode: code }) => `${code}: () => import('${regionsId}${code}')`);
  return `export const countries = ${JSON.stringify(names)};\nexport const regions = {${loaders}};`;
}
