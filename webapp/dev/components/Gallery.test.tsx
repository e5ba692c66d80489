import { sections } from './Gallery';

/** The files of src/components and src/modules with their exports. */
const exportsByFile = import.meta.glob<Record<string, unknown>>(
  ['../../src/components/**/*.tsx', '../../src/modules/*/*.tsx', '!**/*.test.tsx'],
  { eager: true },
);

const namesOnPage = new Set(sections.flatMap(({ names }) => names));

test.each(Object.entries(exportsByFile))('the page shows every export of %s', (_file, exports) => {
  const names = Object.entries(exports).map(([name, value]) => nameOf(name, value));
  expect(names.filter((name) => !namesOnPage.has(name))).toEqual([]);
});

/** Returns the name of an export. A default export is a component, which has a name. */
const nameOf = (name: string, value: unknown) =>
  name === 'default' ? (value as () => unknown).name : name;

test('every section shows at least one state', () => {
  for (const { names, states } of sections) {
    expect(Object.keys(states), names[0]).not.toEqual([]);
  }
});
