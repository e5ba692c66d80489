import { closeDialog, openDialog } from './dialog';

it('a dialog opens and closes with its value when modal dialogs are missing', () => {
  const dialog = document.createElement('dialog');
  Object.assign(dialog, { showModal: undefined, close: undefined });
  const onClose = vi.fn();
  dialog.addEventListener('close', onClose);

  openDialog(dialog);
  expect(dialog).toHaveAttribute('open');
  closeDialog(dialog, 'delete');

  expect(dialog).not.toHaveAttribute('open');
  expect(dialog.returnValue).toBe('delete');
  expect(onClose).toHaveBeenCalledOnce();
});
