import assert from 'node:assert/strict';
import { test } from 'node:test';
import { median, medianFigures, listMissedTargets, runLighthouse } from './figures.mjs';

const figures = (changes = {}) => ({
  scores: [100, 100, 100, 100],
  paint: 800,
  largestPaint: 900,
  blockingTime: 0,
  layoutShift: 0,
  scriptBytes: 90_000,
  foreignScripts: [],
  benchmarkIndex: 1000,
  ...changes,
});

test('median compares numbers, not strings', () => {
  assert.equal(median([1000, 90, 200]), 200);
  assert.equal(median([7]), 7);
});

test('medianFigures returns the median of every figure', () => {
  const runs = [
    figures({ scores: [90, 100, 96, 100], paint: 700, blockingTime: 80, layoutShift: 0.2 }),
    figures({ scores: [99, 95, 97, 100], paint: 1200, blockingTime: 9, layoutShift: 0, benchmarkIndex: 1100 }),
    figures({ scores: [95, 90, 98, 92], paint: 900, blockingTime: 200, layoutShift: 0.1, benchmarkIndex: 1200 }),
  ];
  const want = { scores: [95, 95, 97, 100], paint: 900, blockingTime: 80, layoutShift: 0.1, benchmarkIndex: 1100 };
  assert.deepEqual(medianFigures(runs), figures(want));
});

test('medianFigures lists every foreign script once', () => {
  const [first, second] = ['https://a.example/a.js', 'https://b.example/b.js'];
  const runs = [figures({ foreignScripts: [first, second] }), figures(), figures({ foreignScripts: [second] })];
  assert.deepEqual(medianFigures(runs).foreignScripts, [first, second]);
});

const target = { score: 100, scriptBytes: 120_000 };

for (const [name, screen, changes, misses] of [
  ['nothing at the limit', target, { scriptBytes: 120_000 }, []],
  ['a score below the target', target, { scores: [99, 100, 100, 100] }, ['performance 99, not 100']],
  [
    'all scores below the target',
    { score: 95 },
    { scores: [95, 94, 100, 0] },
    ['accessibility 94, not 95', 'seo 0, not 95'],
  ],
  ['any layout shift', target, { layoutShift: 0.001 }, ['layout shift 0.001, not 0']],
  ['more script than the limit', target, { scriptBytes: 120_001 }, ['120001 bytes of script, not 120000']],
  ['no script for a screen without a limit', { score: 95 }, { scriptBytes: 900_000 }, []],
  [
    'scripts of other origins',
    target,
    { foreignScripts: ['https://js.stripe.com/v3'] },
    ['scripts of other origins: https://js.stripe.com/v3'],
  ],
]) {
  test(`listMissedTargets reports ${name}`, () => assert.deepEqual(listMissedTargets(screen, figures(changes)), misses));
}

const noTrace = { requestedUrl: 'http://localhost/', runtimeError: { message: 'No trace.' } };
const validReport = { requestedUrl: 'http://localhost/' };

/** Returns a fake Lighthouse that returns the reports one after the other. */
function fakeLighthouse(...reports) {
  const remaining = [...reports];
  return { remaining, audit: async () => ({ lhr: remaining.shift() }) };
}

test('runLighthouse runs Lighthouse once when it succeeds', async () => {
  const { audit, remaining } = fakeLighthouse(validReport, validReport);
  assert.equal(await runLighthouse(audit), validReport);
  assert.deepEqual(remaining, [validReport]);
});

test('runLighthouse repeats a run without a trace, and fails after three runs', async () => {
  assert.equal(await runLighthouse(fakeLighthouse(noTrace, noTrace, validReport).audit), validReport);

  const { audit, remaining } = fakeLighthouse(noTrace, noTrace, noTrace, validReport);
  await assert.rejects(runLighthouse(audit), { message: 'http://localhost/: No trace.' });
  assert.deepEqual(remaining, [validReport]);
});
