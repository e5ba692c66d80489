import { crc32, deflateSync, inflateSync } from 'node:zlib';

/** An RGB image with three bytes per pixel. */
interface Image {
  width: number;
  height: number;
  pixels: Buffer;
}

const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);

/**
 * Reduces a screenshot to at most 128 colors, which halves its size. Of similar shades, such as those at the
 * edges of letters, it keeps the most frequent one.
 */
export function compress(png: Buffer): Buffer {
  const { width, height, pixels } = decode(png);
  const { palette, indexByColor } = paletteOf(pixels);
  const rows = Buffer.alloc(height * (width + 1));
  let [previousColor, index] = [-1, 0]; // most pixels equal the previous one
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const color = colorAt(pixels, 3 * (y * width + x));
      if (color !== previousColor) index = indexByColor.get(color) as number;
      previousColor = color;
      rows[y * (width + 1) + x + 1] = index;
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3], 8); // bits and color type: indices of the palette
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk(
      'PLTE',
      Buffer.from(palette.flatMap((color) => [color >> 16, (color >> 8) & 255, color & 255])),
    ),
    chunk('IDAT', deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

const colorAt = (pixels: Buffer, offset: number): number => pixels.readUIntBE(offset, 3);

/** Returns up to 128 frequent colors that differ enough, and the index of the nearest one for each color. */
function paletteOf(pixels: Buffer) {
  const counts = new Map<number, number>();
  for (let offset = 0, runStart = 0; offset < pixels.length; offset += 3) {
    const color = colorAt(pixels, offset);
    const nextOffset = offset + 3;
    if (nextOffset < pixels.length && colorAt(pixels, nextOffset) === color) continue;
    counts.set(color, (counts.get(color) ?? 0) + (nextOffset - runStart) / 3);
    runStart = nextOffset;
  }
  const colors = [...counts].sort(([a, n], [b, m]) => m - n || a - b).map(([color]) => color);
  for (let minDistance = 0; ; minDistance += 3) {
    const palette: number[] = [];
    const indexByColor = new Map<number, number>();
    for (const color of colors) {
      const nearest = nearestColor(color, palette);
      const index = nearest.distance <= minDistance ** 2 ? nearest.index : palette.push(color) - 1;
      indexByColor.set(color, index);
      if (palette.length > 128) break;
    }
    if (palette.length <= 128) return { palette, indexByColor };
  }
}

function nearestColor(
  color: number,
  palette: readonly number[],
): { index: number; distance: number } {
  let nearest = { index: -1, distance: Number.POSITIVE_INFINITY };
  for (const [index, paletteColor] of palette.entries()) {
    const red = (color >> 16) - (paletteColor >> 16);
    const green = ((color >> 8) & 255) - ((paletteColor >> 8) & 255);
    const blue = (color & 255) - (paletteColor & 255);
    const distance = red * red + green * green + blue * blue;
    if (distance < nearest.distance) nearest = { index, distance };
  }
  return nearest;
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}

/** Decodes a picture in Chromium's encoding: 8 bits, RGB, not interlaced. */
function decode(png: Buffer): Image {
  const parts: Buffer[] = [];
  let offset = signature.length;
  while (offset < png.length) {
    const length = png.readUInt32BE(offset);
    const type = png.toString('latin1', offset + 4, offset + 8);
    if (type === 'IDAT') parts.push(png.subarray(offset + 8, offset + 8 + length));
    offset += 12 + length;
  }
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  if (png.readUInt16BE(24) !== 0x0802) throw new Error('not an RGB picture of 8 bits');
  const raw = inflateSync(Buffer.concat(parts));
  const rowLength = 3 * width;
  const pixels = Buffer.alloc(height * rowLength);
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (rowLength + 1)] as number;
    for (let x = 0; x < rowLength; x++) {
      const index = y * rowLength + x;
      const left = x >= 3 ? (pixels[index - 3] as number) : 0;
      const up = y > 0 ? (pixels[index - rowLength] as number) : 0;
      const corner = x >= 3 && y > 0 ? (pixels[index - rowLength - 3] as number) : 0;
      pixels[index] = (raw[index + y + 1] as number) + predict(filter, left, up, corner);
    }
  }
  return { width, height, pixels };
}

/** Returns the byte that a PNG filter predicts from the neighbours. */
function predict(filter: number, left: number, up: number, corner: number): number {
  switch (filter) {
    case 0:
      return 0;
    case 1:
      return left;
    case 2:
      return up;
    case 3:
      return (left + up) >> 1;
    default:
      return paeth(left, up, corner);
  }
}

/** Returns the neighbour that is nearest to left + up - corner, as Paeth's filter does. */
function paeth(left: number, up: number, corner: number): number {
  const a = Math.abs(up - corner);
  const b = Math.abs(left - corner);
  const c = Math.abs(left + up - 2 * corner);
  return a <= b && a <= c ? left : b <= c ? up : corner;
}
