import { runVectors } from '@/testing/run-vectors';
import emails from '../../../testdata/vectors/email.json';
import names from '../../../testdata/vectors/names.json';
import phones from '../../../testdata/vectors/phone.json';
import { emailKey, judgeEmail, judgeName, judgePhone } from './contact';

describe('judgeName', () => {
  runVectors(names, judgeName);
});

describe('judgePhone', () => {
  runVectors(phones, judgePhone);
});

describe('judgeEmail and emailKey', () => {
  runVectors(emails, (email: string) => ({
    verdict: judgeEmail(email),
    normalised: emailKey(email),
  }));
});
