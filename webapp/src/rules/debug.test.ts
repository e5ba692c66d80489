import { runVectors } from '@/testing/run-vectors';
import vectors from '../../../testdata/vectors/debug.json';
import { debugOn } from './debug';

describe('debugOn', () => {
  runVectors(vectors, debugOn);

  it.each([
    ['', false],
    ['?debug', true],
    ['?debug=', true],
    ['?debug=false', false],
  ])('reads %j', (query, want) => {
    expect(debugOn(new URLSearchParams(query).get('debug'))).toBe(want);
  });
});
