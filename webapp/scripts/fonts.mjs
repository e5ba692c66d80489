// Copies the fonts of invoice documents from npm packages into a folder that the Go package invoicepdf/fonts embeds. Writes an
// index of the characters in each file, because a package divides its font into files by ranges of characters.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

/** The ranges of Hangul. Of the Korean font only these are used; other fonts have the other characters. */
const hangul = [
  [0x1100, 0x11ff],
  [0x3130, 0x318f],
  [0xa960, 0xa97f],
  [0xac00, 0xd7ff],
];
const isHangul = ([first]) => hangul.some(([from, to]) => from <= first && first <= to);

/** The packages with the ranges of characters that are used. */
const packages = {
  'noto-sans-thai': () => true,
  'noto-sans-devanagari': () => true,
  'noto-sans-kr': isHangul,
  'noto-sans-sc': (range) => !isHangul(range),
};
/** Files for characters that the main fonts of documents contain. */
const unusedFiles = ['latin', 'latin-ext', 'vietnamese', 'cyrillic', 'greek'];

const target = new URL('../../adapters/invoicepdf/fonts/files/', import.meta.url);
mkdirSync(target, { recursive: true });
for (const file of readdirSync(target))
  if (file !== '.gitkeep') rmSync(new URL(file, target), { recursive: true });

const index = [];
for (const [name, isUsed] of Object.entries(packages)) {
  const source = new URL(`../node_modules/@fontsource/${name}/`, import.meta.url);
  cpSync(new URL('LICENSE', source), new URL(`${name}-LICENSE.txt`, target));
  const slices = JSON.parse(readFileSync(new URL('unicode.json', source), 'utf8'));
  for (const [slice, text] of Object.entries(slices)) {
    const ranges = rangesOf(text).filter(isUsed);
    if (ranges.length === 0 || unusedFiles.includes(slice)) continue;
    const file = `${name}-${slice.replace(/[[\]]/g, '')}-400-normal.woff`;
    cpSync(new URL(`files/${file}`, source), new URL(file, target));
    index.push({ file, ranges });
  }
}
writeFileSync(new URL('index.json', target), JSON.stringify(index));

/** Parses a list such as "U+e01-e5b,U+25cc". */
function rangesOf(text) {
  return text.split(',').map((range) => {
    const [first, last = first] = range.trim().slice(2).split('-');
    return [Number.parseInt(first, 16), Number.parseInt(last, 16)];
  });
}
