import { runVectors } from '@/testing/run-vectors';
import vectors from '../../../testdata/vectors/text.json';
import { clean, length, trim, visible } from './text';

const every =
  '\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000';

describe('trim', () => {
  it.each([
    ['', ''],
    ['a', 'a'],
    [`${every}a${every}b${every}`, `a${every}b`],
    [every, ''],
    ['\u0085a\ufeff', '\u0085a\ufeff'],
    ['\u200ba\u180e', '\u200ba\u180e'],
    [' 😀 ', '😀'],
  ])('of %j', (text, want) => {
    expect(trim(text)).toBe(want);
  });

  it('takes linear time on long whitespace', () => {
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
  ])('of %j', (text, want) => {
    expect(length(text)).toBe(want);
  });
});

describe('visible', () => {
  it.each([
    ['', ''],
    [`\u202a+61 2  1234${every}\u202c`, `+61 2  1234${every}`],
    ['\u0085a\u200b\u0085', '\u0085a\u0085'],
  ])('of %j', (text, want) => {
    expect(visible(text)).toBe(want);
  });
});

describe('clean', () => {
  runVectors(vectors, clean);

  it.each([
    ['', ''],
    [every, ''],
    [`${every}a${every}b c`, 'a b c'],
  ])('of %j', (text, want) => {
    expect(clean(text)).toBe(want);
  });
});
