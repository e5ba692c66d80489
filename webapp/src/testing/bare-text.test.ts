import ts from 'typescript';
import { findBareText } from './bare-text';

/** Components that break when the page is translated, and the reported reason. */
const badExamples: [reason: string, source: string][] = [
  ['text that can change, beside other children', '<p>{count} of 5</p>'],
  ['text that can change, beside other children', '<p><svg /> {label}</p>'],
  ['text that can change, beside other children', '<p><b>Total</b>{children}</p>'],
  ['text that can change, beside other children', '<p>{yes ? "Hide" : "Show"}<b> details</b></p>'],
  ['text beside something', '<p>Nothing is charged. {yes && <b>Really.</b>}</p>'],
  ['text beside something', '<p>{yes ? <b>On</b> : <i>Off</i>} in your plan</p>'],
  ['text beside something', '<p>Three <b key={label}>short</b> parts</p>'],
  ['text beside something', '<p>Card details <Maybe /></p>'],
  ['text beside something', '<p>Plans: {[1, 2].map((n) => <b key={n}>x</b>)}</p>'],
  ['text in a fragment', '<p>{yes ? <>Yes</> : <b>No</b>}</p>'],
  ['text in a fragment', '<p><>{label}</></p>'],
  ['text beside other children of a component', '<Box><svg /> Download</Box>'],
  ['text beside other children of a component', '<Box>Write to <a href="/">us</a></Box>'],
  ['a list of texts', '<p>{[label, label]}</p>'],
  ['a component that returns text', 'label'],
  ['a component that returns text', 'yes ? children : <p />'],
];

const goodExamples = [
  '<p>{[count, "of 5"].join(" ")}</p>',
  '<p><svg /> <span>{label}</span></p>',
  '<p>{yes ? "Hide" : <b>Show</b>}</p>',
  '<p>{children}</p>',
  '<Box>{label}</Box>',
  '<Box>Save</Box>',
  '<p>Write to <a href="/">{label}</a>.</p>',
  '<p>See the <TextLink /> for it.</p>',
  '<p>{label && <b>{label}</b>}{yes ? <Maybe /> : <i />}{elements}</p>',
  '<>{yes && <b>Yes</b>}<Maybe /></>',
  'yes ? <p>{label}</p> : null',
];

const exampleOf = (expression: string) => `
import type { ReactElement, ReactNode } from 'react';
export const Box = ({ children }: { children: ReactNode }) => <div>{children}</div>;
export const TextLink = () => <a href="/">page</a>;
export const Maybe = () => (Math.random() > 0.5 ? <b /> : null);
export function Example({ yes, count, label, children, elements }: {
  yes: boolean; count: number; label: string; children: ReactNode; elements: ReactElement[];
}) {
  return ${expression};
}`;

const examples = new Map(
  [...badExamples.map(([, source]) => source), ...goodExamples].map((source, index) => [
    ts.sys.resolvePath(`src/testing/bare-text-example-${index}.tsx`),
    exampleOf(source),
  ]),
);

const { options, fileNames } = ts.parseJsonConfigFileContent(
  ts.readConfigFile('tsconfig.json', ts.sys.readFile).config,
  ts.sys,
  '.',
);
const components = fileNames.filter(
  (name) => name.endsWith('.tsx') && !/\.test\.tsx$|\/testing\//.test(name),
);

/** A program of the components and the examples, which are not on the disk. */
function createProgram(): ts.Program {
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile } = host;
  host.fileExists = (name) => examples.has(name) || fileExists(name);
  host.readFile = (name) => examples.get(name) ?? readFile(name);
  const ambient = fileNames.filter((name) => name.endsWith('.d.ts'));
  return ts.createProgram([...components, ...ambient, ...examples.keys()], options, host);
}

describe('findBareText', () => {
  const program = createProgram();
  const reasonsIn = (source: string) => {
    const name = [...examples.keys()].find((key) => examples.get(key) === exampleOf(source));
    return findBareText(program, [name ?? '']);
  };

  it.each(badExamples)('reports %s: %s', (reason, source) => {
    expect(reasonsIn(source)).toEqual([expect.stringContaining(reason)]);
  });

  it.each(goodExamples)('accepts %s', (source) => {
    expect(reasonsIn(source)).toEqual([]);
  });

  it('reports nothing in the components of the app', () => {
    expect(components.length).toBeGreaterThan(100);
    expect(findBareText(program, components)).toEqual([]);
  });
});
