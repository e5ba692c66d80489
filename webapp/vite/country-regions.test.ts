import { isCountry } from '../src/rules/country';
import { readCountries } from './country-regions';

describe('the countries of the country-region-data package', () => {
  const countries = readCountries();
  const codes = countries.map(({ countryShortCode }) => countryShortCode);

  it('are those the rules know, each once', () => {
    expect(new Set(codes).size).toBe(codes.length);
    expect(codes.filter((code) => !isCountry(code))).toEqual([]);
    expect(codes).toHaveLength(250);
  });

  it('stand in the order of their names', () => {
    expect(codes.slice(0, 3)).toEqual(['AF', 'AX', 'AL']);
    expect(codes.at(-1)).toBe('ZW');
  });

  it('have their regions, but for one', () => {
    const australia = countries.find(({ countryShortCode }) => countryShortCode === 'AU');
    expect(australia?.regions.map(({ name }) => name)).toContain('New South Wales');
    expect(countries.filter(({ regions }) => regions.length === 0)).toHaveLength(1);
  });
});
