import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { compressedVersions } from './precompress';

test('a compressed version decompresses to the file and is smaller', async () => {
  const content = Buffer.from('const plans = ["Standard", "Professional"];\n'.repeat(100));

  const made = await compressedVersions(content);

  expect(brotliDecompressSync(made['.br'])).toEqual(content);
  expect(gunzipSync(made['.gz'])).toEqual(content);
  expect(made['.br'].length).toBeLessThan(made['.gz'].length);
  expect(made['.gz'].length).toBeLessThan(content.length / 10);
});
