import assert from 'node:assert/strict';
import { test } from 'node:test';
import { median, medianOf, missedBy, report } from './figures.mjs';

const figures = (changes = {}) => ({
  scores: [100, 100, 100, 100],
  paint: 800,
  largest: 900,
  blocked: 0,
  shift: 0,
  script: 90_000,
  foreignScripts: [],
  speed: 1000,
  ...changes,
});

test('median compares numbers, not strings', () => {
  assert.equal(median([1000, 90, 200]), 200);
  assert.equal(median([7]), 7);
});

test('medianOf takes the median of every figure', () => {
  const runs = [
    figures({ scores: [90, 100, 96, 100], paint: 700, blocked: 80, shift: 0.2 }),
    figures({ scores: [99, 95, 97, 100], paint: 1200, blocked: 9, shift: 0, speed: 1100 }),
    figures({ scores: [95, 90, 98, 92], paint: 900, blocked: 200, shift: 0.1, speed: 1200 }),
  ];
  const want = { scores: [95, 95, 97, 100], paint: 900, blocked: 80, shift: 0.1, speed: 1100 };
  assert.deepEqual(medianOf(runs), figures(want));
});

test('medianOf lists every foreign script once', () => {
  const [a, b] = ['https://a.example/a.js', 'https://b.example/b.js'];
  const runs = [figures({ foreignScripts: [a, b] }), figures(), figures({ foreignScripts: [b] })];
  assert.deepEqual(medianOf(runs).foreignScripts, [a, b]);
});

const target = { score: 100, script: 120_000 };

for (const [what, screen, changes, missed] of [
  ['nothing at the limit', target, { script: 120_000 }, []],
  ['a score', target, { scores: [99, 100, 100, 100] }, ['performance 99, not 100']],
  [
    'several scores',
    { score: 95 },
    { scores: [95, 94, 100, 0] },
    ['accessibility 94, not 95', 'seo 0, not 95'],
  ],
  ['layout shift', target, { shift: 0.001 }, ['layout shift 0.001, not 0']],
  ['script', target, { script: 120_001 }, ['120001 bytes of script, not 120000']],
  ['no script without a limit', { score: 95 }, { script: 900_000 }, []],
  [
    'scripts of other origins',
    target,
    { foreignScripts: ['https://js.stripe.com/v3'] },
    ['scripts of other origins: https://js.stripe.com/v3'],
  ],
]) {
  test(`missed: ${what}`, () => assert.deepEqual(missedBy(screen, figures(changes)), missed));
}

const noTrace = { requestedUrl: 'http://localhost/', runtimeError: { message: 'No trace.' } };
const good = { requestedUrl: 'http://localhost/' };

/** A fake Lighthouse that returns the reports one after the other. */
function fakeLighthouse(...reports) {
  const remaining = [...reports];
  return { remaining, audit: async () => ({ lhr: remaining.shift() }) };
}

test('report runs Lighthouse once when it succeeds', async () => {
  const { audit, remaining } = fakeLighthouse(good, good);
  assert.equal(await report(audit), good);
  assert.deepEqual(remaining, [good]);
});

test('report retries twice when there is no trace', async () => {
  assert.equal(await report(fakeLighthouse(noTrace, noTrace, good).audit), good);

  const { audit, remaining } = fakeLighthouse(noTrace, noTrace, noTrace, good);
  await assert.rejects(report(audit), { message: 'http://localhost/: No trace.' });
  assert.deepEqual(remaining, [good]);
});
