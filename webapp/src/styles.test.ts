import css from './styles.css?raw';

const [, light = '', dark = ''] = css.split(':root {');

const tokens = (block: string) =>
  new Map(
    [...block.matchAll(/--([a-z-]+): (#[0-9a-f]{6});/g)].map(([, name, value]) => [name, value]),
  );

function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a: string, b: string): number {
  const [bright = 0, dim = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (bright + 0.05) / (dim + 0.05);
}

const grounds = ['paper', 'surface'];
const texts = ['ink', 'muted', 'brand', 'brand-strong', 'success', 'danger', 'attention'];
const softTones = ['brand', 'success', 'danger', 'attention'];

/** Pairs of foreground and background with the required contrast: 4.5 for text, 3 for borders and focus. */
const pairs: [text: string, ground: string, least: number][] = [
  ...texts.flatMap((text) =>
    grounds.map((ground) => [text, ground, 4.5] as [string, string, number]),
  ),
  ...softTones.map((tone) => [tone, `${tone}-soft`, 4.5] as [string, string, number]),
  ['brand-strong', 'brand-soft', 4.5],
  ['ink', 'brand-soft', 4.5],
  ['muted', 'brand-soft', 4.5],
  ['on-brand', 'brand', 4.5],
  ['on-brand', 'brand-strong', 4.5],
  ...grounds.flatMap((ground) => [
    ['control-line', ground, 3] as [string, string, number],
    ['focus', ground, 3] as [string, string, number],
  ]),
];

describe.each([
  ['light', tokens(light)],
  ['dark', tokens(dark)],
])('the %s colours', (_, colours) => {
  it.each(pairs)('%s on %s reaches %d:1', (text, ground, least) => {
    expect(contrast(colours.get(text) ?? '', colours.get(ground) ?? '')).toBeGreaterThanOrEqual(
      least,
    );
  });
});
