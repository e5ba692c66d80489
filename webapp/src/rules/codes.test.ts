import { runVectors } from '@/testing/run-vectors';
import vectors from '../../../testdata/vectors/codes.json';
import { cleanCode, cleanPhone, cleanPostalCode, normalizeEmail } from './codes';
import { taxIdValue } from './tax-id';

describe('cleanPhone, cleanPostalCode and taxIdValue', () => {
  runVectors(vectors, (code: string) => ({
    phone: cleanPhone(code),
    postalCode: cleanPostalCode(code),
    taxId: taxIdValue('eu_vat', code),
  }));
});

describe('cleanCode, cleanPhone, cleanPostalCode and normalizeEmail', () => {
  it('are fast on long texts', () => {
    // An algorithm of quadratic time would exceed the timeout of the test.
    const text = 'mailto: '.repeat(100_000);
    expect(normalizeEmail(text)).toBe(text.trim());
    expect(cleanCode(text)).toBe(text);
    expect(cleanPhone('tel:'.repeat(100_000))).toBe('tel:'.repeat(100_000));
    expect(cleanPostalCode(`a${' . ,'.repeat(100_000)}`)).toBe('a');
  });
});
