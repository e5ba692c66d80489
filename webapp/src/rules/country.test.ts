import { runVectors } from '@/testing/run-vectors';
import vectors from '../../../testdata/vectors/country.json';
import { isCountry } from './country';

describe('isCountry', () => {
  runVectors(vectors, (codes: string[]) => codes.filter(isCountry));
});
