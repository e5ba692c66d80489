import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { Button } from '@/components/Button';
import { useKeptFocus } from './use-kept-focus';

function Page({ next }: { next: React.ReactNode }) {
  useKeptFocus();
  const [done, setDone] = useState(false);
  return (
    <main>
      <h1 tabIndex={-1}>Payment cards</h1>
      {done ? next : <Button onClick={() => setDone(true)}>Try again</Button>}
    </main>
  );
}

const heading = () => screen.getByRole('heading');
const press = () => userEvent.click(screen.getByRole('button', { name: 'Try again' }));

describe('removing the focused button', () => {
  it('moves the focus to the heading', async () => {
    render(<Page next={<p>Loading...</p>} />);

    await press();

    await waitFor(() => expect(heading()).toHaveFocus());
  });

  it('keeps the focus on an element that has taken it', async () => {
    render(<Page next={<input ref={(input) => input?.focus()} />} />);
    const focused = vi.spyOn(heading(), 'focus');

    await press();
    await new Promise(requestAnimationFrame);

    expect(screen.getByRole('textbox')).toHaveFocus();
    expect(focused).not.toHaveBeenCalled();
  });
});
