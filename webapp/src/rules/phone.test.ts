import { runVectors } from '@/testing/run-vectors';
import vectors from '../../../testdata/vectors/phone.json';
import { judgePhone } from './phone';

describe('judgePhone', () => {
  runVectors(vectors, judgePhone);
});
