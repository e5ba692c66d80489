import { runVectors } from '@/testing/run-vectors';
import vectors from '../../../testdata/vectors/password.json';
import { checkPassword, conditions, passwordProblems } from './password';

describe('checkPassword and passwordProblems', () => {
  runVectors(vectors, (password: string) => {
    const problems = passwordProblems(password);
    return { ...checkPassword(password), ok: problems.length === 0, problems };
  });

  it('has a label for every condition', () => {
    expect(conditions.map(({ key }) => key)).toEqual(Object.keys(checkPassword('')));
  });

  it('counts a lone surrogate as a character that meets no condition', () => {
    expect(checkPassword('\ud83d'.repeat(8))).toEqual({
      size: true,
      upper: false,
      lower: false,
      number: false,
    });
  });
});
