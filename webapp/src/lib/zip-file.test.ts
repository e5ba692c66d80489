import { zipFile } from './zip-file';

it('writes the files one after the other, and a directory with their offsets and checksums', async () => {
  const data = new TextEncoder().encode('123456789');
  const blob = zipFile([
    { name: 'a.pdf', date: '2026-11-28', data },
    { name: 'b.pdf', date: '2027-01-02', data },
  ]);

  const view = new DataView(await blob.arrayBuffer());
  const end = view.byteLength - 22;
  expect(view.getUint32(end, true)).toBe(0x06054b50);
  expect(view.getUint16(end + 10, true)).toBe(2);
  const directory = view.getUint32(end + 16, true);
  expect(directory + view.getUint32(end + 12, true)).toBe(end);
  const secondEntry = directory + 46 + 5;
  expect(view.getUint32(secondEntry, true)).toBe(0x02014b50);
  expect(view.getUint16(secondEntry + 14, true)).toBe((47 << 9) | (1 << 5) | 2);
  expect(view.getUint32(secondEntry + 16, true)).toBe(0xcbf43926); // the check value of CRC-32
  const secondFile = view.getUint32(secondEntry + 42, true);
  expect(view.getUint32(secondFile, true)).toBe(0x04034b50);
  expect(await blob.slice(secondFile + 30, secondFile + 44).text()).toBe('b.pdf123456789');
});
