import { HttpResponse, http, type JsonBodyType } from 'msw';
import { server } from '@/testing/server';
import { getUserDetail } from './user';

const respond = (body: JsonBodyType) =>
  server.use(http.get('/vc-admin/user/detail', () => HttpResponse.json(body)));

/** A license with the fields of the specification only. */
const license = {
  id: 'sub_1',
  isDev: false,
  raw: { status: 'active', metadata: { name: 'standard', interval: 'yearly' } },
};

it('returns null for a visitor', async () => {
  respond({ detail: null });
  expect(await getUserDetail()).toBeNull();
});

it('fills in fields that the specification does not name', async () => {
  respond({ detail: { orgId: 17, license, pastLicense: {} } });

  expect(await getUserDetail()).toMatchObject({
    id: '17',
    orgId: '17',
    firstName: '',
    openPayment: null,
    license: { interval: 'yearly', currency: '', raw: { current_period_end: null } },
    pastLicense: { interval: '', currency: '', raw: { status: '' } },
  });
});

it('returns null for both licenses when the response has none', async () => {
  respond({ detail: { orgId: 'org_1' } });
  expect(await getUserDetail()).toMatchObject({ license: null, pastLicense: null });
});

it("returns the subscription's currency when the license has none", async () => {
  respond({
    detail: { orgId: 'org_1', license: { ...license, raw: { ...license.raw, currency: 'gbp' } } },
  });
  expect(await getUserDetail()).toMatchObject({ license: { currency: 'gbp' } });
});

it.each([
  ['organisation', { license }, 'detail.orgId'],
  ['plan', { orgId: 'org_1', license: { ...license, raw: { status: 'active' } } }, 'metadata.name'],
  ['interval', { orgId: 'org_1', license: { ...license, interval: 'weekly' } }, 'interval'],
])('rejects without a message when the %s is missing or unknown', async (_part, detail, path) => {
  respond({ detail });
  await expect(getUserDetail()).rejects.toMatchObject({
    message: '',
    status: 200,
    cause: { message: expect.stringContaining(path) },
  });
});

it('ignores malformed fields that the specification does not name', async () => {
  respond({ detail: { orgId: 'org_1', openPayment: 'none', trials: 3, next: {}, email: 7 } });
  expect(await getUserDetail()).toMatchObject({
    openPayment: null,
    trials: undefined,
    next: null,
    email: '',
  });
});
