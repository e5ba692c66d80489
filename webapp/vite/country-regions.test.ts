import { readFileSync } from 'node:fs';
import { isCountry } from '../src/rules/country';
import { readCountries } from './country-regions';

describe('the countries of the country-region-data package', () => {
  const countries = readCountries();
  const codes = countries.map(({ countryShortCode }) => countryShortCode);
  const regionsOf = (code: string) =>
    countries
      .find(({ countryShortCode }) => countryShortCode === code)
      ?.regions.map(({ name }) => name);

  it('are exactly the countries of the rules', () => {
    expect(new Set(codes).size).toBe(codes.length);
    expect(codes.filter((code) => !isCountry(code))).toEqual([]);
    expect(codes).toHaveLength(250);
  });

  it('have regions in the 30 countries with a list', () => {
    expect(regionsOf('AU')).toContain('New South Wales');
    const sizes = countries.map(({ regions }) => regions.length).filter((size) => size > 0);
    expect(sizes).toHaveLength(30);
    expect(Math.min(...sizes)).toBeGreaterThan(6);
    expect(Math.max(...sizes)).toBeLessThan(63);
  });

  it.each(['GB', 'CH', 'NP', 'CI', 'PK', 'FK', 'HK'])('have no regions for %s', (code) => {
    expect(regionsOf(code)).toEqual([]);
  });

  it('have the same states as the time zone table in its 13 countries with states', () => {
    const states = new Map<string, string[]>();
    for (const line of readFileSync('../domain/timezone/data/zones.tsv', 'utf8')
      .trim()
      .split('\n')) {
      const [country = '', state] = line.split('\t');
      if (state) states.set(country, [...(states.get(country) ?? []), state]);
    }
    expect(states.size).toBe(13);
    for (const [country, names] of states) {
      expect(new Set(names), country).toEqual(new Set(regionsOf(country)));
    }
  });
});
