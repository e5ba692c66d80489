import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { OptionsMenu } from './OptionsMenu';

function renderMenu(state: { busy?: boolean; unavailable?: boolean } = {}) {
  const onSelect = vi.fn();
  const options = ['Set as default', 'Rename', 'Delete'].map((label) => ({
    label,
    onSelect: () => onSelect(label),
  }));
  render(
    <>
      <OptionsMenu
        label="More options"
        options={options}
        busy={false}
        unavailable={false}
        {...state}
      />
      <button type="button">Next</button>
    </>,
  );
  return onSelect;
}

const button = () => screen.getByRole('button', { name: 'More options' });
const menu = () => screen.queryByRole('menu');
const item = (name: string) => screen.getByRole('menuitem', { name });

describe('OptionsMenu', () => {
  it('opens on a click with the focus on the first option, and closes on the next click', async () => {
    renderMenu();
    expect(menu()).not.toBeInTheDocument();

    await userEvent.click(button());
    expect(menu()).toHaveAccessibleName('More options');
    expect(button()).toHaveAttribute('aria-expanded', 'true');
    expect(item('Set as default')).toHaveFocus();

    await userEvent.click(button());
    expect(menu()).not.toBeInTheDocument();
    expect(button()).toHaveFocus();
  });

  it('moves the focus with the arrow keys, Home and End, and wraps around at both ends', async () => {
    renderMenu();
    await userEvent.tab();
    await userEvent.keyboard('{ArrowDown}');
    expect(item('Set as default')).toHaveFocus();
    await userEvent.keyboard('{ArrowUp}');
    expect(item('Delete')).toHaveFocus();
    await userEvent.keyboard('{ArrowDown}{ArrowDown}');
    expect(item('Rename')).toHaveFocus();
    await userEvent.keyboard('{End}');
    expect(item('Delete')).toHaveFocus();
    await userEvent.keyboard('{Home}x');
    expect(item('Set as default')).toHaveFocus();
  });

  it('opens on ArrowUp with the focus on the last option', async () => {
    renderMenu();
    await userEvent.tab();
    await userEvent.keyboard('{ArrowUp}');
    expect(item('Delete')).toHaveFocus();
  });

  it('runs the option that Enter selects and returns the focus to the button', async () => {
    const onSelect = renderMenu();
    await userEvent.tab();
    await userEvent.keyboard('{Enter}{ArrowDown}{Enter}');
    expect(onSelect).toHaveBeenCalledExactlyOnceWith('Rename');
    expect(menu()).not.toBeInTheDocument();
    expect(button()).toHaveFocus();
  });

  it('closes on Escape without running an option, and returns the focus to the button', async () => {
    const onSelect = renderMenu();
    await userEvent.click(button());
    await userEvent.keyboard('{Escape}');
    expect(menu()).not.toBeInTheDocument();
    expect(button()).toHaveFocus();
    expect(onSelect).not.toHaveBeenCalled();
  });

  it('closes on Tab and on a click outside', async () => {
    renderMenu();
    await userEvent.click(button());
    await userEvent.tab();
    expect(menu()).not.toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Next' })).toHaveFocus();

    await userEvent.click(button());
    await userEvent.click(screen.getByRole('button', { name: 'Next' }));
    expect(menu()).not.toBeInTheDocument();
  });

  it.each([{ busy: true }, { unavailable: true }])('stays closed while %o', async (state) => {
    renderMenu(state);
    await userEvent.click(button());
    await userEvent.keyboard('{ArrowDown}');
    expect(menu()).not.toBeInTheDocument();
    expect(button()).toHaveFocus();
  });
});
