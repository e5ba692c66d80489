import { renderHook } from '@testing-library/react';
import { throwSecurityError } from '@/testing/security-error';
import { useMedia } from './use-media';

it.each([
  ['is missing', undefined],
  ['throws', throwSecurityError],
  ['returns a list without addEventListener', () => ({ matches: false, addListener: () => {} })],
])('useMedia returns false when matchMedia %s', (_, matchMedia) => {
  vi.stubGlobal('matchMedia', matchMedia);

  const { result, unmount } = renderHook(() => useMedia('(min-width: 1rem)'));

  expect(result.current).toBe(false);
  unmount();
});
