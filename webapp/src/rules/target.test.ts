import vectors from '../../../testdata/vectors/target.json';
import { runVectors } from './run-vectors';
import { targetOf } from './target';

describe('targetOf', () => {
  runVectors(vectors, targetOf);
});
