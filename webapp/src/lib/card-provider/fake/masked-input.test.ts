import userEvent from '@testing-library/user-event';
import { formatExpiry } from './card-expiry';
import { formatNumber } from './card-number';
import { mask } from './masked-input';

function masked(format: (text: string) => string) {
  const input = document.createElement('input');
  document.body.replaceChildren(input);
  mask(input, format);
  return input;
}

describe('mask', () => {
  it('formats typed input', async () => {
    const input = masked(formatNumber);
    await userEvent.type(input, '42424242x42424242');
    expect(input).toHaveValue('4242 4242 4242 4242');
  });

  it('formats pasted input', async () => {
    const input = masked(formatExpiry);
    await userEvent.click(input);
    await userEvent.paste('12/2034');
    expect(input).toHaveValue('12 / 34');
  });

  it('lets a separator be deleted together with the digit before it', async () => {
    const input = masked(formatExpiry);
    await userEvent.type(input, '12{Backspace}');
    expect(input).toHaveValue('1');
    await userEvent.type(input, '2');
    expect(input).toHaveValue('12 / ');
  });

  it('keeps the caret where a digit is put in', async () => {
    const input = masked(formatNumber);
    await userEvent.type(input, '42424242');
    await userEvent.type(input, '9', { initialSelectionStart: 2, initialSelectionEnd: 2 });
    expect(input).toHaveValue('4294 2424 2');
    expect(input.selectionStart).toBe(3);
  });

  it('keeps the caret where a digit is deleted', async () => {
    const input = masked(formatNumber);
    await userEvent.type(input, '42949242');
    const at = { initialSelectionStart: 3, initialSelectionEnd: 3 };
    await userEvent.type(input, '{Backspace}', at);
    expect(input).toHaveValue('4249 242');
    expect(input.selectionStart).toBe(2);
  });
});
