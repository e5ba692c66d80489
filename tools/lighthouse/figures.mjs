// Defines the targets of the screens, and functions that evaluate Lighthouse reports.

export const categories = ['performance', 'accessibility', 'best-practices', 'seo'];

/** The screens that visitors see first, with the minimum of each score and the maximum number of script bytes. */
export const screens = [
  { name: 'plans', path: '/vc-admin/diy/plans?debug=true', score: 100, scriptBytes: 120_000 },
  {
    name: 'registration',
    path: '/vc-admin/diy/regform?product=professional&currency=AUD&interval=yearly&debug=true',
    score: 100,
  },
  { name: 'contact', path: '/vc-admin/diy/contact?product=enterprise&interval=yearly', score: 100 },
  { name: 'sign in', path: '/vc-admin/dash', score: 100 },
];

export const median = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1];

/** Returns the median of each figure over several runs. */
export function medianFigures(runs) {
  const medianBy = (pick) => median(runs.map(pick));
  return {
    scores: categories.map((_, i) => medianBy(({ scores }) => scores[i])),
    paint: medianBy(({ paint }) => paint),
    largestPaint: medianBy(({ largestPaint }) => largestPaint),
    blockingTime: medianBy(({ blockingTime }) => blockingTime),
    layoutShift: medianBy(({ layoutShift }) => layoutShift),
    scriptBytes: medianBy(({ scriptBytes }) => scriptBytes),
    foreignScripts: [...new Set(runs.flatMap(({ foreignScripts }) => foreignScripts))],
    benchmarkIndex: medianBy(({ benchmarkIndex }) => benchmarkIndex),
  };
}

/** Returns a text for each target that the figures miss. */
export function listMissedTargets({ score, scriptBytes = Infinity }, figures) {
  const misses = categories
    .map((category, i) => [category, figures.scores[i]])
    .filter(([, actual]) => actual < score)
    .map(([category, actual]) => `${category} ${actual}, not ${score}`);
  if (figures.layoutShift > 0) misses.push(`layout shift ${figures.layoutShift}, not 0`);
  if (figures.scriptBytes > scriptBytes) misses.push(`${figures.scriptBytes} bytes of script, not ${scriptBytes}`);
  if (figures.foreignScripts.length > 0) misses.push(`scripts of other origins: ${figures.foreignScripts}`);
  return misses;
}

/** Runs Lighthouse and returns the report. Repeats a run with a runtime error, because Chromium sometimes records no trace. */
export async function runLighthouse(audit, attempts = 3) {
  const { lhr } = await audit();
  if (!lhr.runtimeError) return lhr;
  if (attempts === 1) throw new Error(`${lhr.requestedUrl}: ${lhr.runtimeError.message}`);
  return runLighthouse(audit, attempts - 1);
}
