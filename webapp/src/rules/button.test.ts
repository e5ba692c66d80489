import { runVectors } from '@/testing/run-vectors';
import vectors from '../../../testdata/vectors/button.json';
import { buttonOf } from './button';

describe('buttonOf', () => {
  runVectors(vectors, buttonOf);
});
