import { runVectors } from '@/testing/run-vectors';
import vectors from '../../../testdata/vectors/password-guess.json';
import { easyToGuessMessage, type PasswordContext } from './password-guess';

describe('easyToGuessMessage', () => {
  runVectors(vectors, ({ password, ...context }: PasswordContext & { password: string }) =>
    easyToGuessMessage(password, context),
  );
});
