import { readFileSync } from 'node:fs';
import { pageOf } from './screen-pages';

/** The built index.html, from which the screens' pages are derived. */
const index = readFileSync('index.html', 'utf8').replace(
  '</head>',
  '<script type="module" src="/app.js"></script>\n</head>',
);

/** The tags in a page's head that load scripts. */
const scriptTags = (page: string) =>
  page.split('</head>')[0]?.match(/<.*(app|form|AU)\.js.*/g) ?? [];

test("a screen's page preloads its scripts and contains the initial markup", () => {
  const page = pageOf(index, { scripts: ['/form.js', '/AU.js'], markup: '<h1>Plans for $1</h1>' });

  const sources = scriptTags(page).map((tag) => /(?:src|href)="(.*?)"/.exec(tag)?.[1]);
  expect(sources).toEqual(['/app.js', '/form.js', '/AU.js']);
  expect(page).toContain('<main class="grow"><h1>Plans for $1</h1></main>');
});

test('every script has a low priority, so that the style sheet is loaded first', () => {
  const tags = scriptTags(pageOf(index, { scripts: ['/form.js'] }));

  expect(tags).toHaveLength(2);
  for (const tag of tags) expect(tag).toContain('fetchpriority="low"');
});

test('a screen without initial markup has an empty main element', () => {
  expect(pageOf(index, { scripts: [] })).toContain('<main class="grow"></main>');
});

test('the build fails when index.html has no placeholder', () => {
  expect(() => pageOf('<!doctype html>', { scripts: [] })).toThrow('first paint');
});
