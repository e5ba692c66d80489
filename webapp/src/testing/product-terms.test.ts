import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** Terms that the texts of the product avoid, and the term to use instead. */
const forbiddenTerms: [term: RegExp, replacement: string][] = [
  [/\bbills?\b/i, 'invoice'],
  [/\bnext payments?\b/i, 'next charge'],
  [/\bpayment cards?\b/i, 'payment method'],
  [/\bways? to pay\b/i, 'payment method'],
];

const sourceFolder = join(import.meta.dirname, '..');

/** Returns the texts in the source code of a file: its strings, templates and JSX texts. */
function textsIn(path: string): string[] {
  const code = readFileSync(join(sourceFolder, path), 'utf8');
  const file = ts.createSourceFile(path, code, ts.ScriptTarget.Latest, false, ts.ScriptKind.TSX);
  const texts: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) return;
    if (ts.isStringLiteralLike(node) || ts.isJsxText(node)) texts.push(node.text);
    if (ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)) texts.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return texts.map((text) => text.trim().replace(/\s+/g, ' ')).filter(Boolean);
}

const files = readdirSync(sourceFolder, { recursive: true, encoding: 'utf8' }).filter(
  (path) => /\.tsx?$/.test(path) && !/\.(test|gen|d)\.|testing/.test(path),
);

it.each(forbiddenTerms)('no text of the app contains %s (use %s)', (term) => {
  const texts = files.flatMap((path) =>
    textsIn(path)
      .filter((text) => term.test(text))
      .map((text) => `${path}: ${text}`),
  );
  expect(texts).toEqual([]);
});
