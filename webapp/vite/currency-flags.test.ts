import { readFlags } from './currency-flags';

describe('the pictures of the currency-flags package', () => {
  const flags = readFlags();

  it('are all found, the fallback among them', () => {
    expect(flags.size).toBeGreaterThan(140);
    for (const code of ['fallback', 'aed', 'aud', 'usd', 'zmw']) {
      expect(flags.get(code)?.subarray(1, 4).toString()).toBe('PNG');
    }
  });

  it('are 48x32 pixels', () => {
    const size = (code: string) => [
      flags.get(code)?.readUInt32BE(16),
      flags.get(code)?.readUInt32BE(20),
    ];
    expect(size('aud')).toEqual([48, 32]);
  });
});
