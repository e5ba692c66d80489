import css from './styles.css?raw';

const [, light = '', dark = ''] = css.split(':root {');

const tokensIn = (block: string) =>
  new Map(
    [...block.matchAll(/--([a-z-]+): (#[0-9a-f]{6});/g)].map(([, name, value]) => [name, value]),
  );

function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((index) => {
    const channel = Number.parseInt(hex.slice(index, index + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a: string, b: string): number {
  const [bright = 0, dim = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (bright + 0.05) / (dim + 0.05);
}

const backgrounds = ['paper', 'surface'];
const texts = ['ink', 'muted', 'brand', 'brand-strong', 'success', 'danger', 'attention'];
const softTones = ['brand', 'success', 'danger', 'attention'];

/** Pairs of foreground and background with the required contrast: 4.5 for text, 3 for borders and focus. */
const pairs: [text: string, background: string, minContrast: number][] = [
  ...texts.flatMap((text) =>
    backgrounds.map((background) => [text, background, 4.5] as [string, string, number]),
  ),
  ...softTones.map((tone) => [tone, `${tone}-soft`, 4.5] as [string, string, number]),
  ['brand-strong', 'brand-soft', 4.5],
  ['ink', 'brand-soft', 4.5],
  ['muted', 'brand-soft', 4.5],
  ['on-brand', 'brand', 4.5],
  ['on-brand', 'brand-strong', 4.5],
  ...backgrounds.flatMap((background) => [
    ['control-line', background, 3] as [string, string, number],
    ['focus', background, 3] as [string, string, number],
  ]),
];

describe.each([
  ['light', tokensIn(light)],
  ['dark', tokensIn(dark)],
])('the %s colours', (_, colours) => {
  it.each(pairs)('%s on %s reaches %d:1', (text, background, minContrast) => {
    expect(contrast(colours.get(text) ?? '', colours.get(background) ?? '')).toBeGreaterThanOrEqual(
      minContrast,
    );
  });
});
