import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { Button } from '@/components/Button';
import { useFocusFallback } from './use-focus-fallback';

/** A page that replaces its button with the children when the button is pressed. */
function Page({ children }: { children: React.ReactNode }) {
  useFocusFallback();
  const [isPressed, setIsPressed] = useState(false);
  return (
    <main>
      <h1 tabIndex={-1}>Payment methods</h1>
      {isPressed ? children : <Button onClick={() => setIsPressed(true)}>Try again</Button>}
    </main>
  );
}

const heading = () => screen.getByRole('heading');
const press = () => userEvent.click(screen.getByRole('button', { name: 'Try again' }));

describe('removing the focused element', () => {
  it('moves the focus to the heading', async () => {
    render(
      <Page>
        <p>Loading...</p>
      </Page>,
    );

    await press();

    await waitFor(() => expect(heading()).toHaveFocus());
  });

  it('keeps the focus on an element that has received it', async () => {
    render(
      <Page>
        <input ref={(input) => input?.focus()} />
      </Page>,
    );
    const focusHeading = vi.spyOn(heading(), 'focus');

    await press();
    await new Promise(requestAnimationFrame);

    expect(screen.getByRole('textbox')).toHaveFocus();
    expect(focusHeading).not.toHaveBeenCalled();
  });
});
