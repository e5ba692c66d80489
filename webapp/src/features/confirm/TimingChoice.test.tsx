import { render, screen } from '@testing-library/react';
import { TimingChoice } from './TimingChoice';

it('describes each choice only by elements that are shown', () => {
  const options = [
    { value: 'now', label: 'Now', text: 'The plan changes now.', note: '$42 is due now.' },
    { value: 'renewal', label: 'At the renewal', text: 'The plan changes later.' },
  ] as const;

  render(<TimingChoice options={options} value="now" onChange={() => {}} />);

  const now = screen.getByRole('radio', { name: 'Now' });
  expect(now).toHaveAccessibleDescription('The plan changes now. $42 is due now.');
  for (const radio of screen.getAllByRole('radio')) {
    const ids = radio.getAttribute('aria-describedby')?.split(' ') ?? [];
    expect(ids.filter((id) => !document.getElementById(id))).toEqual([]);
  }
});
