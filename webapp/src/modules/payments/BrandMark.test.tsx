import { render } from '@testing-library/react';
import { BrandMark } from './BrandMark';

/** Renders the mark and returns its icon and the spy on the console. */
function renderMark(brand: string) {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {});
  const { container } = render(<BrandMark brand={brand} />);
  return { icon: container.querySelector('svg'), log };
}

describe('the icon of a card brand', () => {
  it.each(['visa', 'mastercard', 'amex', 'discover', 'unionpay'])(
    'is decorative for %s, and nothing is logged',
    (brand) => {
      const { icon, log } = renderMark(brand);

      expect(icon).toHaveAttribute('aria-hidden', 'true');
      expect(log).not.toHaveBeenCalled();
    },
  );

  it('is a plain card for an unknown brand, and the brand is logged', () => {
    const { icon, log } = renderMark('monopoly');

    expect(icon).toBeInTheDocument();
    expect(log).toHaveBeenCalledExactlyOnceWith(expect.stringMatching(/no icon/), 'monopoly');
  });
});
