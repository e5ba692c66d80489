import { runVectors } from '@/testing/run-vectors';
import vectors from '../../../testdata/vectors/billing-details.json';
import taxIdTextVectors from '../../../testdata/vectors/tax-id-text.json';
import { type BillingDetailsForm, checkBillingDetails } from './billing-details';
import { taxIdText, taxIdTypes, taxIdValue } from './tax-id';

describe('checkBillingDetails', () => {
  runVectors(vectors, (form: BillingDetailsForm) =>
    Object.entries(checkBillingDetails(form)).map(([field, message]) => ({ field, message })),
  );
});

describe('taxIdText', () => {
  runVectors(taxIdTextVectors, taxIdText);
});

describe('taxIdTypes', () => {
  it.each([
    ['AU', ['au_abn']],
    ['NZ', ['nz_gst']],
    ['GB', ['gb_vat', 'eu_vat']],
    ['DE', ['eu_vat']],
    ['US', []],
  ])('for an address in %s are %j', (country, types) => {
    expect(taxIdTypes(country)).toEqual(types);
  });
});

it('taxIdValue removes spaces and punctuation', () => {
  expect(taxIdValue('eu_vat', ' be 0123.456.789 ')).toBe('BE0123456789');
  expect(taxIdValue('gb_vat', '123 4567-89')).toBe('GB123456789');
});
