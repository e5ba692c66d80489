import { runVectors } from '@/testing/run-vectors';
import vectors from '../../../testdata/vectors/trial.json';
import { dueOf, trialDays } from './trial';

interface TrialCase {
  trialPeriodDays: number;
  trialUsed: boolean;
  noTrial: boolean;
  price: number;
  now: string;
}

describe('trialDays and dueOf', () => {
  runVectors(vectors, ({ price, now, ...trial }: TrialCase) => {
    const days = trialDays(trial);
    const { amount, at } = dueOf(price, days, new Date(now));
    return { days, due: { amount, at: at?.toISOString().replace('.000Z', 'Z') ?? null } };
  });
});
