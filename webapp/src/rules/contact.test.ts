import { runVectors } from '@/testing/run-vectors';
import emails from '../../../testdata/vectors/email.json';
import names from '../../../testdata/vectors/names.json';
import phones from '../../../testdata/vectors/phone.json';
import { normalizeEmail } from './codes';
import { checkEmail, checkName, checkPhone } from './contact';

describe('checkName', () => {
  runVectors(names, checkName);
});

describe('checkPhone', () => {
  runVectors(phones, checkPhone);
});

describe('checkEmail and normalizeEmail', () => {
  runVectors(emails, (email: string) => ({
    verdict: checkEmail(email),
    normalised: normalizeEmail(email),
  }));
});
