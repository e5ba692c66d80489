/** Opens a dialog as a modal dialog, or as a plain element above the page if the browser has no modal dialogs. */
export function openDialog(dialog: HTMLDialogElement): void {
  try {
    dialog.showModal();
  } catch {
    dialog.setAttribute('open', '');
    Object.assign(dialog.style, { position: 'fixed', inset: '0', zIndex: '30' });
    dialog.querySelector('button')?.focus();
  }
}

/** Closes a dialog, with `value` as its `returnValue`. The dialog receives the event `close`. */
export function closeDialog(dialog: HTMLDialogElement, value = ''): void {
  try {
    dialog.close(value);
  } catch {
    dialog.returnValue = value;
    dialog.removeAttribute('open');
    dialog.dispatchEvent(new Event('close'));
  }
}

/** Closes all dialogs, because an open modal dialog makes the page inert even when an element around it is hidden. */
export function closeDialogs(): void {
  for (const dialog of document.querySelectorAll<HTMLDialogElement>('dialog[open]'))
    closeDialog(dialog);
}
