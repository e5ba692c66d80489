import { isScreenOutsideBase } from './screens-outside-base';

test.each([
  '/vc-admin/dash',
  '/vc-admin/dash?debug=true',
  '/vc-admin/dash/',
  '/vc-admin/auth/confirm?token=1',
  '/vc-admin/auth/billing-email?token=1',
  '/vc-admin/auth/email?token=1',
  '/vc-admin/auth/undo?token=1',
  '/vc-admin/auth/emails?token=1',
])('%s is a screen outside the base path', (url) => {
  expect(isScreenOutsideBase({ method: 'GET', url })).toBe(true);
});

test.each([
  ['GET', '/vc-admin/diy/plans'],
  ['GET', '/vc-admin/auth/logout'],
  ['POST', '/vc-admin/auth/confirm'],
  ['POST', '/vc-admin/auth/emails/show'],
])('%s %s is no screen outside the base path', (method, url) => {
  expect(isScreenOutsideBase({ method, url })).toBe(false);
});
