// The targets of the screens and the evaluation of Lighthouse reports.

export const categories = ['performance', 'accessibility', 'best-practices', 'seo'];

/** The screens that visitors see first, with the minimum of every score and the maximum of script bytes. */
export const screens = [
  { name: 'plans', path: '/vc-admin/diy/plans?debug=true', score: 100, script: 120_000 },
  {
    name: 'registration',
    path: '/vc-admin/diy/regform?product=professional&currency=AUD&interval=yearly&debug=true',
    score: 100,
  },
  { name: 'contact', path: '/vc-admin/diy/contact?product=enterprise&interval=yearly', score: 100 },
  { name: 'sign in', path: '/vc-admin/dash', score: 99 },
];

export const median = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1];

/** The median of every figure over several runs. */
export function medianOf(runs) {
  const medianBy = (pick) => median(runs.map(pick));
  return {
    scores: categories.map((_, i) => medianBy(({ scores }) => scores[i])),
    paint: medianBy(({ paint }) => paint),
    largest: medianBy(({ largest }) => largest),
    blocked: medianBy(({ blocked }) => blocked),
    shift: medianBy(({ shift }) => shift),
    script: medianBy(({ script }) => script),
    foreignScripts: [...new Set(runs.flatMap(({ foreignScripts }) => foreignScripts))],
    speed: medianBy(({ speed }) => speed),
  };
}

/** Describes the targets that the figures miss. */
export function missedBy({ score, script = Infinity }, figures) {
  const missed = categories
    .map((category, i) => [category, figures.scores[i]])
    .filter(([, actual]) => actual < score)
    .map(([category, actual]) => `${category} ${actual}, not ${score}`);
  if (figures.shift > 0) missed.push(`layout shift ${figures.shift}, not 0`);
  if (figures.script > script) missed.push(`${figures.script} bytes of script, not ${script}`);
  if (figures.foreignScripts.length > 0) missed.push(`scripts of other origins: ${figures.foreignScripts}`);
  return missed;
}

/**
 * Runs Lighthouse and returns its report. Chromium sometimes records no trace; Lighthouse is then
 * run again.
 */
export async function report(audit, attempts = 3) {
  const { lhr } = await audit();
  if (!lhr.runtimeError) return lhr;
  if (attempts === 1) throw new Error(`${lhr.requestedUrl}: ${lhr.runtimeError.message}`);
  return report(audit, attempts - 1);
}
