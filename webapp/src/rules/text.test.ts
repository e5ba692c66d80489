import { runVectors } from '@/testing/run-vectors';
import vectors from '../../../testdata/vectors/text.json';
import { clean, length, removeInvisible, trim } from './text';

/** Every whitespace character. */
const allWhitespace =
  '\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000';

describe('trim', () => {
  it.each([
    ['', ''],
    ['a', 'a'],
    [`${allWhitespace}a${allWhitespace}b${allWhitespace}`, `a${allWhitespace}b`],
    [allWhitespace, ''],
    ['\u0085a\ufeff', '\u0085a\ufeff'],
    ['\u200ba\u180e', '\u200ba\u180e'],
    [' 😀 ', '😀'],
  ])('%j becomes %j', (text, want) => {
    expect(trim(text)).toBe(want);
  });

  it('is fast on long whitespace', () => {
    // An algorithm of quadratic time would exceed the timeout of the test.
    const gap = `a${' '.repeat(200_000)}b`;
    expect(trim(gap)).toBe(gap);
  });
});

describe('length', () => {
  it.each([
    ['', 0],
    ['abc', 3],
    ['é', 1],
    ['e\u0301', 2],
    ['😀', 1],
    ['👩‍⚕️', 4],
    ['\ud83d', 1],
  ])('%j has the length %i', (text, want) => {
    expect(length(text)).toBe(want);
  });
});

describe('removeInvisible', () => {
  it.each([
    ['', ''],
    [`\u202a+61 2  1234${allWhitespace}\u202c`, `+61 2  1234${allWhitespace}`],
    ['\u0085a\u200b\u0085', '\u0085a\u0085'],
  ])('%j becomes %j', (text, want) => {
    expect(removeInvisible(text)).toBe(want);
  });
});

describe('clean', () => {
  runVectors(vectors, clean);

  it('is fast on a long run of separators', () => {
    expect(clean(`a${' ,'.repeat(100_000)}`)).toBe('a');
  });

  it.each([
    ['', ''],
    [allWhitespace, ''],
    [`${allWhitespace}a${allWhitespace}b c`, 'a b c'],
  ])('%j becomes %j', (text, want) => {
    expect(clean(text)).toBe(want);
  });
});
