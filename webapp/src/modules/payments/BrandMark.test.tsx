import { render } from '@testing-library/react';
import { BrandMark } from './BrandMark';

/** Renders the mark and returns what was logged. */
function show(brand: string) {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {});
  const { container } = render(<BrandMark brand={brand} />);
  return { icon: container.querySelector('svg'), log };
}

describe('the icon of a card brand', () => {
  it.each(['visa', 'mastercard', 'amex', 'discover', 'unionpay'])('is drawn for %s', (brand) => {
    const { icon, log } = show(brand);

    expect(icon).toHaveAttribute('aria-hidden', 'true');
    expect(log).not.toHaveBeenCalled();
  });

  it('shows a plain card for an unknown brand and logs it', () => {
    const { icon, log } = show('monopoly');

    expect(icon).toBeInTheDocument();
    expect(log).toHaveBeenCalledExactlyOnceWith(expect.stringMatching(/no icon/), 'monopoly');
  });
});
