import { render, screen } from '@testing-library/react';
import { BrandMark, SavedCard } from './SavedCard';

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

it('shows the label of a method that is no card', () => {
  const none = { brand: '', last4: '', exp_month: 0, exp_year: 0 };
  const label = 'BECS Direct Debit •••• 3456';
  render(<SavedCard card={{ id: 'pm_1', kind: 'bank_debit', label, card: none }} isDefault />);

  expect(screen.getAllByText(label)).toHaveLength(2);
  expect(screen.queryByText(/Expires/)).not.toBeInTheDocument();
});
