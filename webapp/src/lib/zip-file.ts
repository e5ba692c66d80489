/** A file in a ZIP file. */
export interface ZipEntry {
  /** The name, in ASCII. */
  name: string;
  /** The date of the last change, in ISO format. */
  date: string;
  data: Uint8Array<ArrayBuffer>;
}

/**
 * Returns a ZIP file (PKWARE APPNOTE 6.3) with these files. It does not compress them, because PDF documents already are
 * compressed.
 */
export function zipFile(entries: readonly ZipEntry[]): Blob {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const directory: Uint8Array<ArrayBuffer>[] = [];
  let offset = 0;
  for (const { name, date, data } of entries) {
    const fileName = new TextEncoder().encode(name);
    const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
    const fields: Field[] = [
      ...[short(10), short(0), short(0)], // version, flags, no compression
      ...[short(0), short(((year - 1980) << 9) | (month << 5) | day)],
      ...[long(crc32(data)), long(data.length), long(data.length)],
      ...[short(fileName.length), short(0)],
    ];
    const header = record(0x04034b50, fields);
    const attributes = [short(0), short(0), short(0), long(0), long(offset)];
    parts.push(header, fileName, data);
    directory.push(record(0x02014b50, [short(20), ...fields, ...attributes]), fileName);
    offset += header.length + fileName.length + data.length;
  }
  const directorySize = directory.reduce((size, { length }) => size + length, 0);
  const end = record(0x06054b50, [
    ...[short(0), short(0), short(entries.length), short(entries.length)],
    ...[long(directorySize), long(offset), short(0)],
  ]);
  return new Blob([...parts, ...directory, end], { type: 'application/zip' });
}

/** A number with its size in bytes. */
type Field = [size: 2 | 4, value: number];

const short = (value: number): Field => [2, value];
const long = (value: number): Field => [4, value];

/** Returns a record with its signature and fields, in little-endian order. */
function record(signature: number, fields: Field[]): Uint8Array<ArrayBuffer> {
  const bytes = [long(signature), ...fields].flatMap(([size, value]) =>
    Array.from({ length: size }, (_, index) => (value >>> (8 * index)) & 0xff),
  );
  return new Uint8Array(bytes);
}

/** Returns the CRC-32 of the data, as ISO 3309 defines it. */
function crc32(data: Uint8Array): number {
  let crc = -1;
  for (const byte of data) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}
