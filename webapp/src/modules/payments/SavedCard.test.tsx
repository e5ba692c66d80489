import { render, screen } from '@testing-library/react';
import { aCard } from '@/testing/card-provider';
import { SavedCard } from './SavedCard';

it('shows the label, but no expiry, of a method that is not a card', () => {
  const noCard = { brand: '', last4: '', exp_month: 0, exp_year: 0 };
  const label = 'BECS Direct Debit •••• 3456';
  render(<SavedCard card={{ id: 'pm_1', kind: 'bank_debit', label, card: noCard }} isDefault />);

  expect(screen.getAllByText(label)).toHaveLength(2);
  expect(screen.queryByText(/Expires/)).not.toBeInTheDocument();
});

it.each([
  ['bank_debit', 'lucide-landmark'],
  ['other', 'lucide-wallet'],
] as const)('shows a method of the kind %s with the icon %s', (kind, icon) => {
  const { container } = render(
    <SavedCard
      card={{ ...aCard('6819'), kind, label: 'Bank account •••• 6819' }}
      isDefault={false}
    />,
  );
  expect(container.querySelector('svg')).toHaveClass(icon);
});
