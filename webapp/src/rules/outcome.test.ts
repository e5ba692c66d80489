import vectors from '../../../testdata/vectors/outcome.json';
import { decide, type Subscription } from './outcome';
import { runVectors } from './run-vectors';

describe('decide', () => {
  runVectors(vectors, (input: { subscription: Subscription; retry: boolean }) =>
    decide(input.subscription, input.retry),
  );
});
