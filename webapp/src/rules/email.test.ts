import { runVectors } from '@/testing/run-vectors';
import vectors from '../../../testdata/vectors/email.json';
import { emailKey, judgeEmail } from './email';

describe('judgeEmail and emailKey', () => {
  runVectors(vectors, (email: string) => ({
    verdict: judgeEmail(email),
    normalised: emailKey(email),
  }));
});
