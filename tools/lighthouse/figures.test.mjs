import assert from 'node:assert/strict';
import { test } from 'node:test';
import { median, middleOf, missedBy } from './figures.mjs';

const figures = (changes = {}) => ({
  scores: [100, 100, 100, 100],
  paint: 800,
  largest: 900,
  blocked: 0,
  shift: 0,
  script: 90_000,
  strangers: [],
  speed: 1000,
  ...changes,
});

test('the median is in the middle by size', () => {
  assert.equal(median([1000, 90, 200]), 200);
  assert.equal(median([7]), 7);
});

test('of several runs every figure is its own middle', () => {
  const runs = [
    figures({ scores: [90, 100, 96, 100], paint: 700, blocked: 80, shift: 0.2 }),
    figures({ scores: [99, 95, 97, 100], paint: 1200, blocked: 9, shift: 0, speed: 1100 }),
    figures({ scores: [95, 90, 98, 92], paint: 900, blocked: 200, shift: 0.1, speed: 1200 }),
  ];
  const middle = { scores: [95, 95, 97, 100], paint: 900, blocked: 80, shift: 0.1, speed: 1100 };
  assert.deepEqual(middleOf(runs), figures(middle));
});

test('a stranger in one run is a stranger, once', () => {
  const [a, b] = ['https://a.example/a.js', 'https://b.example/b.js'];
  const runs = [figures({ strangers: [a, b] }), figures(), figures({ strangers: [b] })];
  assert.deepEqual(middleOf(runs).strangers, [a, b]);
});

const strict = { score: 100, script: 100_000 };

for (const [what, screen, changes, missed] of [
  ['nothing at the very limit', strict, { script: 100_000 }, []],
  ['a score', strict, { scores: [99, 100, 100, 100] }, ['performance 99, not 100']],
  [
    'several scores',
    { score: 95 },
    { scores: [95, 94, 100, 0] },
    ['accessibility 94, not 95', 'seo 0, not 95'],
  ],
  ['any shift', strict, { shift: 0.001 }, ['layout shift 0.001, not 0']],
  ['script', strict, { script: 100_001 }, ['100001 bytes of script, not 100000']],
  ['no script where none is counted', { score: 95 }, { script: 900_000 }, []],
  [
    'what others wrote',
    strict,
    { strangers: ['https://js.stripe.com/v3'] },
    ['scripts of others: https://js.stripe.com/v3'],
  ],
]) {
  test(`missed: ${what}`, () => assert.deepEqual(missedBy(screen, figures(changes)), missed));
}
