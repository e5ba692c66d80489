import vectors from '../../../testdata/vectors/phone.json';
import { judgePhone } from './phone';
import { runVectors } from './run-vectors';

describe('judgePhone', () => {
  runVectors(vectors, judgePhone);
});
