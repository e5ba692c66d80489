import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { compressedVersions } from './precompress';

test('each compressed version decompresses to the original content and is smaller', async () => {
  const content = Buffer.from('const plans = ["Standard", "Professional"];\n'.repeat(100));

  const versions = await compressedVersions(content);

  expect(brotliDecompressSync(versions['.br'])).toEqual(content);
  expect(gunzipSync(versions['.gz'])).toEqual(content);
  expect(versions['.br'].length).toBeLessThan(versions['.gz'].length);
  expect(versions['.gz'].length).toBeLessThan(content.length / 10);
});
