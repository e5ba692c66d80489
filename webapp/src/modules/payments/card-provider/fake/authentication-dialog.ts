import { closeDialog, openDialog } from '@/lib/dialog';

const primary = 'bg-brand text-on-brand hover:bg-brand-strong';
const secondary = 'border border-control-line bg-surface text-ink hover:bg-brand-soft';

/**
 * Opens the authentication of the cardholder's bank as a modal dialog. Resolves to true after Complete, and to false
 * after Fail, Escape or leaving the page.
 */
export function openAuthenticationDialog(): Promise<boolean> {
  const dialog = createDialog();
  document.body.append(dialog);
  const close = () => closeDialog(dialog);
  window.addEventListener('popstate', close);
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => {
      window.removeEventListener('popstate', close);
      dialog.remove();
      resolve(dialog.returnValue === 'complete');
    });
    openDialog(dialog);
    dialog.querySelector('button')?.focus();
  });
}

function createDialog(): HTMLDialogElement {
  const dialog = document.createElement('dialog');
  dialog.className =
    'm-auto w-[calc(100%-2rem)] max-w-md rounded-card border border-line bg-surface p-6 text-ink shadow-card backdrop:bg-[rgb(0_0_0/60%)]';
  dialog.setAttribute('aria-labelledby', 'card-authentication-title');
  dialog.setAttribute('aria-describedby', 'card-authentication-text');

  const title = document.createElement('h2');
  title.id = 'card-authentication-title';
  title.className = 'text-xl';
  title.textContent = 'Is this you?';

  const text = document.createElement('p');
  text.id = 'card-authentication-text';
  text.className = 'mt-3 text-muted';
  text.textContent =
    'Your bank asks you to authenticate this card. This is the test provider: choose how it ends.';

  const buttons = document.createElement('div');
  buttons.className = 'mt-6 flex flex-wrap gap-3';
  buttons.append(
    createButton(dialog, 'Complete', 'complete', primary),
    createButton(dialog, 'Fail', 'fail', secondary),
  );
  dialog.append(title, text, buttons);
  return dialog;
}

function createButton(dialog: HTMLDialogElement, label: string, value: string, colors: string) {
  const element = document.createElement('button');
  element.type = 'button';
  element.textContent = label;
  element.className = `min-h-11 grow rounded-control px-4 font-semibold ${colors}`;
  element.addEventListener('click', () => closeDialog(dialog, value));
  return element;
}
