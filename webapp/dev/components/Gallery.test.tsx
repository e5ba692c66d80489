import { sections } from './Gallery';

/** What the files of src/components and src/modules export. */
const files = import.meta.glob<Record<string, unknown>>(
  ['../../src/components/**/*.tsx', '../../src/modules/*/*.tsx', '!**/*.test.tsx'],
  { eager: true },
);

const shownNames = new Set(sections.flatMap(({ names: of }) => of));

test.each(Object.entries(files))('%s is on the page', (_, exported) => {
  expect(Object.keys(exported).filter((name) => !shownNames.has(name))).toEqual([]);
});

test('each section has a state', () => {
  for (const { names: of, states } of sections) expect(Object.keys(states), of[0]).not.toEqual([]);
});
