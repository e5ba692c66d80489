import vectors from '../../../testdata/vectors/email.json';
import { emailKey, judgeEmail } from './email';
import { runVectors } from './run-vectors';

describe('judgeEmail and emailKey', () => {
  runVectors(vectors, (email: string) => ({
    verdict: judgeEmail(email),
    normalised: emailKey(email),
  }));
});
