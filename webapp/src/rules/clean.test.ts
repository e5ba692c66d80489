import { runVectors } from '@/testing/run-vectors';
import vectors from '../../../testdata/vectors/text.json';
import { clean, visible } from './clean';

const every =
  '\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000';

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
