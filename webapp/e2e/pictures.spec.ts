import { expect, test } from '@playwright/test';
import { indicesOf, paletteOf } from './pictures/palette';
import { readPNG, writePNG } from './pictures/png';

/** A picture with many colours: Chromium filters its rows in every way PNG knows. */
const busy = `<!doctype html><style>
  body { margin: 0; font: 40px serif; background: linear-gradient(45deg, teal, white, crimson) }
</style>Many colours, in every direction`;

test('a picture keeps its size, its flat colours exactly and the rest nearly', async ({ page }) => {
  await page.setViewportSize({ width: 300, height: 200 });
  await page.setContent('<!doctype html><style>body { background: #0b6e74 }</style>');
  const flat = readPNG(await page.screenshot());
  expect(paletteOf(flat.colours)).toEqual([0x0b6e74]);

  await page.setContent(busy);
  const before = readPNG(await page.screenshot());
  const palette = paletteOf(before.colours);
  expect(palette).toHaveLength(256);
  const file = writePNG(before.width, indicesOf(before.colours, palette), palette);

  // The browser itself judges what was written, beside what was read.
  const after = await page.evaluate(async (base64) => {
    const image = new Image();
    image.src = `data:image/png;base64,${base64}`;
    await image.decode();
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [image.width, image.height];
    const context = canvas.getContext('2d') as CanvasRenderingContext2D;
    context.drawImage(image, 0, 0);
    return { width: image.width, data: [...context.getImageData(0, 0, 300, 200).data] };
  }, file.toString('base64'));
  expect(after.width).toBe(300);
  const errors = Array.from(before.colours, (colour, i) =>
    Math.max(
      ...[16, 8, 0].map((shift, channel) =>
        Math.abs(((colour >> shift) & 0xff) - (after.data[i * 4 + channel] ?? 0)),
      ),
    ),
  );
  expect(errors.reduce((a, b) => a + b) / errors.length, 'mean error of 255').toBeLessThan(4);
});
