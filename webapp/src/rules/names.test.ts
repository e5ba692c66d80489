import vectors from '../../../testdata/vectors/names.json';
import { judgeName } from './names';
import { runVectors } from './run-vectors';

describe('judgeName', () => {
  runVectors(vectors, judgeName);
});
