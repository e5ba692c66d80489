import { runVectors } from '@/testing/run-vectors';
import vectors from '../../../testdata/vectors/password-guess.json';
import { guessMessage, type PasswordContext } from './password-guess';

describe('guessMessage', () => {
  runVectors(vectors, ({ password, ...context }: PasswordContext & { password: string }) =>
    guessMessage(password, context),
  );
});
