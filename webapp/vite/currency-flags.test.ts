import currencies from '../../domain/money/data/currencies.json';
import { readFlags } from './currency-flags';

describe('the pictures of the currency-flags package', () => {
  const flags = readFlags();
  const codes = [...flags.keys()].filter((code) => code !== 'fallback');

  it('are PNG files, including the fallback', () => {
    expect(flags.size).toBeGreaterThan(140);
    for (const code of ['fallback', 'aed', 'aud', 'usd', 'zmw']) {
      expect(flags.get(code)?.subarray(1, 4).toString()).toBe('PNG');
    }
  });

  it('are sorted from aed to zmw', () => {
    expect(codes.slice(0, 3)).toEqual(['aed', 'afn', 'all']);
    expect(codes.at(-1)).toBe('zmw');
    expect(codes).toEqual([...codes].sort());
  });

  it('are all 48x32 pixels', () => {
    expect(codes).toContain('ltl');
    for (const picture of flags.values()) {
      expect([picture.readUInt32BE(16), picture.readUInt32BE(20)]).toEqual([48, 32]);
    }
  });

  it('are missing for six known currencies', () => {
    const knownCodes = currencies.map(({ code }) => code.toLowerCase());
    const codesWithoutFlag = knownCodes.filter((code) => !flags.has(code));
    expect(codesWithoutFlag).toEqual(['eek', 'lvl', 'pab', 'sdg', 'zmk', 'zwl']);
  });
});
