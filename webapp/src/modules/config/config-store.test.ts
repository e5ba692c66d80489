import { HttpResponse, http } from 'msw';
import { aConfig } from '@/testing/fixtures';
import { serveConfig } from '@/testing/handlers';
import { server } from '@/testing/server';
import { useConfigStore } from './config-store';

const store = () => useConfigStore.getState();
const path = '/vc-admin/diy/config.json';

describe('the configuration', () => {
  it('is fetched once by several calls of load', async () => {
    let calls = 0;
    server.use(
      http.get(path, () => {
        calls++;
        return HttpResponse.json(aConfig());
      }),
    );

    await Promise.all([store().load(), store().load()]);
    await store().load();

    expect(store().state).toEqual({ status: 'ready', config: aConfig() });
    expect(calls).toBe(1);
  });

  it('is fetched again by load after a failure', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    server.use(http.get(path, () => HttpResponse.error()));
    await store().load();
    expect(store().state).toMatchObject({ status: 'failed', error: { message: 'Network Error' } });

    serveConfig();
    await store().load();

    expect(store().state.status).toBe('ready');
  });
});
