import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from './support/test';

const builtConfig = fileURLToPath(new URL('../dist/config.json', import.meta.url));

test('the built configuration equals the configuration of the server, except for the provider', async ({
  request,
}) => {
  const { provider, ...constants } = JSON.parse(await readFile(builtConfig, 'utf8'));
  const serverConfig = await (await request.get('/vc-admin/diy/config.json')).json();

  expect({ ...constants, provider: serverConfig.provider }).toEqual(serverConfig);
  expect(provider.capabilities).toBeUndefined();
});
