import { runVectors } from '@/testing/run-vectors';
import vectors from '../../../testdata/vectors/amount-breakdown.json';
import { amountBreakdown, type InvoiceAmounts } from './amount-breakdown';

describe('amountBreakdown', () => {
  runVectors(vectors, (amounts: InvoiceAmounts) => amountBreakdown(amounts));
});
