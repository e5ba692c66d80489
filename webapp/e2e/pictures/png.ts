import { crc32, deflateSync, inflateSync } from 'node:zlib';

/** A picture of 24-bit colours, row by row. */
export interface Picture {
  width: number;
  height: number;
  colours: Uint32Array;
}

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Reads a PNG as Chromium writes it: 8 bits a channel, not interlaced, nothing transparent. */
export function readPNG(file: Buffer): Picture {
  const data: Buffer[] = [];
  let width = 0;
  let height = 0;
  let channels = 0;
  for (let at = signature.length; at < file.length; at += 12 + file.readUInt32BE(at)) {
    const type = file.toString('latin1', at + 4, at + 8);
    const body = file.subarray(at + 8, at + 8 + file.readUInt32BE(at));
    if (type === 'IDAT') data.push(body);
    if (type !== 'IHDR') continue;
    [width, height] = [body.readUInt32BE(0), body.readUInt32BE(4)];
    channels = body[9] === 6 ? 4 : 3;
  }
  const bytes = unfilter(inflateSync(Buffer.concat(data)), width * channels, channels);
  const colours = new Uint32Array(width * height);
  for (let i = 0; i < colours.length; i++) {
    colours[i] = bytes.readUIntBE(i * channels, 3);
  }
  return { width, height, colours };
}

/** Undoes what PNG does to each row, which begins with the number of what was done to it. */
function unfilter(raw: Buffer, stride: number, channels: number): Buffer {
  const rows = raw.length / (stride + 1);
  const out = Buffer.alloc(rows * stride);
  for (let row = 0; row < rows; row++) {
    const kind = raw[row * (stride + 1)];
    for (let i = 0; i < stride; i++) {
      const here = row * stride + i;
      const left = i >= channels ? (out[here - channels] ?? 0) : 0;
      const up = row > 0 ? (out[here - stride] ?? 0) : 0;
      const upLeft = row > 0 && i >= channels ? (out[here - stride - channels] ?? 0) : 0;
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, upLeft)][kind ?? 0] ?? 0;
      out[here] = (raw[row * (stride + 1) + 1 + i] ?? 0) + guess;
    }
  }
  return out;
}

function paeth(left: number, up: number, upLeft: number): number {
  const guess = left + up - upLeft;
  const far = (value: number) => Math.abs(guess - value);
  if (far(left) <= far(up) && far(left) <= far(upLeft)) return left;
  return far(up) <= far(upLeft) ? up : upLeft;
}

/** Writes a PNG of at most 256 colours, one byte a pixel: an index into the palette. */
export function writePNG(width: number, indices: Uint8Array, palette: readonly number[]): Buffer {
  const height = indices.length / width;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8);
  const rows = Buffer.alloc(height * (width + 1));
  for (let row = 0; row < height; row++) {
    rows.set(indices.subarray(row * width, (row + 1) * width), row * (width + 1) + 1);
  }
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flatMap((c) => [c >> 16, (c >> 8) & 0xff, c & 0xff]))),
    chunk('IDAT', deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, body: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), body]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(body.length);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(typed));
  return Buffer.concat([length, typed, checksum]);
}
