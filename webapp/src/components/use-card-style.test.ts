import { act, renderHook } from '@testing-library/react';
import { useCardStyle } from './CardField';

const root = document.documentElement;

describe('the looks of the card field', () => {
  afterEach(() => root.removeAttribute('style'));

  it("follow the page's tokens, also when the page turns dark", () => {
    const scheme = new EventTarget();
    vi.spyOn(window, 'matchMedia').mockReturnValue(scheme as MediaQueryList);
    root.style.setProperty('--ink', '#10262c');
    const { result } = renderHook(() => useCardStyle());
    expect(result.current?.base).toMatchObject({ color: '#10262c' });

    root.style.setProperty('--ink', '#e6eff0');
    act(() => void scheme.dispatchEvent(new Event('change')));
    expect(result.current?.base).toMatchObject({ color: '#e6eff0' });
  });
});
