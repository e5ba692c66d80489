import { runVectors } from '@/testing/run-vectors';
import vectors from '../../../testdata/vectors/button.json';
import { planButton } from './button';

describe('planButton', () => {
  runVectors(vectors, planButton);
});
