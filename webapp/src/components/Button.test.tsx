import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Button } from './Button';

const button = () => screen.getByRole('button');

describe('Button', () => {
  it.each([{ busy: true }, { unavailable: true }])('ignores clicks while %o', async (state) => {
    const onClick = vi.fn();
    const onSubmit = vi.fn();
    render(
      <form onSubmit={onSubmit}>
        <Button type="submit" onClick={onClick} {...state}>
          Submit
        </Button>
      </form>,
    );

    await userEvent.click(button());

    expect(onClick).not.toHaveBeenCalled();
    expect(onSubmit).not.toHaveBeenCalled();
    expect(button()).toHaveAttribute('aria-disabled', 'true');
    expect(button()).toHaveFocus();
  });

  it('has the busy label as its name while busy, or its usual label if there is no busy label', () => {
    const { rerender } = render(
      <Button busy busyLabel="Signing up...">
        Submit
      </Button>,
    );
    expect(screen.getByRole('button', { name: 'Signing up...', busy: true })).toBeVisible();

    rerender(<Button busy>Subscribe</Button>);
    expect(screen.getByRole('button', { name: 'Subscribe', busy: true })).toBeVisible();
  });
});
