import { asciiLower, asciiUpper } from './letter-case';

describe('asciiLower and asciiUpper', () => {
  it('change A to Z only', () => {
    expect(asciiLower('AZ\u212a\u0130\u00c9az9')).toBe('az\u212a\u0130\u00c9az9');
    expect(asciiUpper('az\u0131\u017f\u00df\u00e9AZ9')).toBe('AZ\u0131\u017f\u00df\u00e9AZ9');
  });
});
