// What a screen is held to, and what it misses.

export const categories = ['performance', 'accessibility', 'best-practices', 'seo'];

/** The screens a visitor sees first; every score of theirs has to be this at least. */
export const screens = [
  { name: 'plans', path: '/vc-admin/diy/plans?debug=true', score: 100, script: 100_000 },
  {
    name: 'registration',
    path: '/vc-admin/diy/regform?product=professional&currency=AUD&interval=yearly&debug=true',
    score: 100,
  },
  { name: 'contact', path: '/vc-admin/diy/contact?product=enterprise&interval=yearly', score: 95 },
  { name: 'sign in', path: '/vc-admin/dash', score: 95 },
];

export const median = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1];

/** The figures of several runs as one: the middle of each. */
export function middleOf(runs) {
  const middle = (pick) => median(runs.map(pick));
  return {
    scores: categories.map((_, i) => middle(({ scores }) => scores[i])),
    paint: middle(({ paint }) => paint),
    largest: middle(({ largest }) => largest),
    blocked: middle(({ blocked }) => blocked),
    shift: middle(({ shift }) => shift),
    script: middle(({ script }) => script),
    strangers: [...new Set(runs.flatMap(({ strangers }) => strangers))],
    speed: middle(({ speed }) => speed),
  };
}

/** In words what the figures miss; empty when they keep to everything. */
export function missedBy({ score, script = Infinity }, figures) {
  const missed = categories
    .map((category, i) => [category, figures.scores[i]])
    .filter(([, reached]) => reached < score)
    .map(([category, reached]) => `${category} ${reached}, not ${score}`);
  if (figures.shift > 0) missed.push(`layout shift ${figures.shift}, not 0`);
  if (figures.script > script) missed.push(`${figures.script} bytes of script, not ${script}`);
  if (figures.strangers.length > 0) missed.push(`scripts of others: ${figures.strangers}`);
  return missed;
}
