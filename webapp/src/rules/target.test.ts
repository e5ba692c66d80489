import { runVectors } from '@/testing/run-vectors';
import vectors from '../../../testdata/vectors/target.json';
import { targetOf } from './target';

describe('targetOf', () => {
  runVectors(vectors, targetOf);
});
