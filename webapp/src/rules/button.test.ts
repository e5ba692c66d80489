import vectors from '../../../testdata/vectors/button.json';
import { buttonOf } from './button';
import { runVectors } from './run-vectors';

describe('buttonOf', () => {
  runVectors(vectors, buttonOf);
});
