import { runVectors } from '@/testing/run-vectors';
import vectors from '../../../testdata/vectors/method-names.json';
import { brandName, methodTypeName } from './method-names';

describe('the names of payment methods', () => {
  runVectors(vectors, ({ brand, label }: { brand?: string; label?: string }) =>
    brand === undefined ? methodTypeName(label ?? '') : brandName(brand),
  );
});
