import vectors from '../../../testdata/vectors/country.json';
import { isCountry } from './country';
import { runVectors } from './run-vectors';

describe('isCountry', () => {
  runVectors(vectors, (codes: string[]) => codes.filter(isCountry));
});
