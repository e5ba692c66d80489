import { runVectors } from '@/testing/run-vectors';
import vectors from '../../../testdata/vectors/outcome.json';
import { decide, type Subscription } from './outcome';

describe('decide', () => {
  runVectors(vectors, (input: { subscription: Subscription; retry: boolean }) =>
    decide(input.subscription, input.retry),
  );
});
