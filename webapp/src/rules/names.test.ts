import { runVectors } from '@/testing/run-vectors';
import vectors from '../../../testdata/vectors/names.json';
import { judgeName } from './names';

describe('judgeName', () => {
  runVectors(vectors, judgeName);
});
