import { runVectors } from '@/testing/run-vectors';
import vectors from '../../../testdata/vectors/settlement.json';
import { type InvoiceAmounts, settlementOf } from './settlement';

describe('settlementOf', () => {
  runVectors(vectors, (amounts: InvoiceAmounts) => settlementOf(amounts));
});
