import { render } from '@testing-library/react';
import { AcceptedBrands } from './CardField';

/** Renders the marks and returns whether each is dimmed. */
function dimmedMarks(typed?: string): boolean[] {
  const { container } = render(<AcceptedBrands typed={typed} />);
  return [...container.querySelectorAll('svg')].map((mark) => mark.closest('.opacity-25') !== null);
}

describe('the marks of the accepted brands', () => {
  it('dim all brands but that of the typed card', () => {
    expect(dimmedMarks('mastercard')).toEqual([true, false, true]);
  });

  it.each([undefined, 'unknown', 'jcb'])('are all shown when the typed brand is %s', (typed) => {
    expect(dimmedMarks(typed)).toEqual([false, false, false]);
  });
});
