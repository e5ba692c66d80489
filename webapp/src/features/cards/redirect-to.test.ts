import { hasRedirect, redirectOf } from './redirect-to';

const parseRedirect = (redirectTo: unknown) => redirectOf({ redirectTo, mode: 'x' });

describe('redirectOf', () => {
  it.each(['confirm', 'plans', 'payment'])('returns the path of the screen %s', (screen) => {
    expect(parseRedirect(`/vc-admin/diy/${screen}`)).toBe(`/vc-admin/diy/${screen}`);
  });

  it('keeps the query', () => {
    const path = '/vc-admin/diy/contact?product=enterprise';
    expect(parseRedirect(path)).toBe(path);
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
  ])('returns null when redirectTo is %j', (redirectTo) => {
    expect(parseRedirect(redirectTo)).toBeNull();
  });

  it.each([null, undefined, 'confirm', 7, {}])('returns null for the state %j', (state) => {
    expect(hasRedirect(state)).toBe(false);
    expect(redirectOf(state)).toBeNull();
  });
});
