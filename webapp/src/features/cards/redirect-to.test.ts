import { hasRedirect, redirectOf } from './redirect-to';

const to = (redirectTo: unknown) => redirectOf({ redirectTo, mode: 'x' });

describe('redirectTo', () => {
  it.each(['confirm', 'plans', 'payment'])('returns to %s', (screen) => {
    expect(to(`/vc-admin/diy/${screen}`)).toBe(`/vc-admin/diy/${screen}`);
  });

  it('keeps its own query', () => {
    const address = '/vc-admin/diy/contact?product=enterprise';
    expect(to(address)).toBe(address);
  });

  it.each([
    'https://evil.example/vc-admin/diy/confirm',
    '//evil.example/vc-admin/diy/confirm',
    '/\\evil.example/vc-admin/diy/confirm',
    '\\\\evil.example',
    '/\t/evil.example/vc-admin/diy/confirm',
    '/\n\\evil.example/vc-admin/diy/confirm',
    '%2f%2fevil.example/vc-admin/diy/confirm',
    '/%2f%2fevil.example',
    'http://here.invalid@evil.example/vc-admin/diy/confirm',
    ' java\nscript:alert(1)',
    'data:text/html,x',
    'http://[',
    'javascript:alert(1)',
    '/vc-admin/diy/../../elsewhere',
    '/vc-admin/auth/logout',
    '/',
    '',
    42,
    null,
    undefined,
  ])('rejects %j', (redirectTo) => {
    expect(to(redirectTo)).toBeNull();
  });

  it.each([null, undefined, 'confirm', 7, {}])('is missing in %j', (state) => {
    expect(hasRedirect(state)).toBe(false);
    expect(redirectOf(state)).toBeNull();
  });
});
