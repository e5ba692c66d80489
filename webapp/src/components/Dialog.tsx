import { useEffect, useId, useRef } from 'react';
import { closeDialog, openDialog } from '@/lib/dialog';
import type { Elements } from '@/lib/elements';
import { Button } from './Button';

interface DialogProps {
  title: string;
  text: string;
  /** The selector of the element to focus; by default the first focusable element. */
  initialFocus?: string;
  /** Called after the dialog was closed, with the value passed to `close`, or '' after Escape. */
  onClose: (value: string) => void;
  /** Renders the content below the text. `close` closes the dialog. */
  children: (close: (value?: string) => void) => Elements;
}

/** A modal dialog that opens when it is rendered. */
export function Dialog({ title, text, initialFocus, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    if (!dialog.current) return;
    openDialog(dialog.current);
    if (initialFocus) dialog.current.querySelector<HTMLElement>(initialFocus)?.focus();
  }, [initialFocus]);

  return (
    <dialog
      ref={dialog}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
      onClose={() => onClose(dialog.current?.returnValue ?? '')}
      className="m-auto w-[calc(100%-2rem)] max-w-md rounded-card border border-line bg-surface p-6 text-ink shadow-card backdrop:bg-[rgb(0_0_0/60%)]"
    >
      <h2 id={`${id}-title`} className="text-xl">
        {title}
      </h2>
      <p id={`${id}-text`} className="mt-3 text-muted">
        {text}
      </p>
      {children((value) => dialog.current && closeDialog(dialog.current, value))}
    </dialog>
  );
}

interface ConfirmDialogProps extends Pick<DialogProps, 'title' | 'text'> {
  /** The label of the button that confirms. */
  label: string;
  /** Called after the dialog was closed. Escape closes it without a confirmation. */
  onClose: (isConfirmed: boolean) => void;
}

/** Asks for confirmation of an action that can't be undone. */
export const ConfirmDialog = ({ title, text, label, onClose }: ConfirmDialogProps) => (
  <Dialog title={title} text={text} onClose={(value) => onClose(value === 'confirmed')}>
    {(close) => (
      <div className="mt-6 flex flex-wrap justify-end gap-3">
        <Button variant="secondary" onClick={() => close()}>
          Cancel
        </Button>
        <Button variant="danger" onClick={() => close('confirmed')}>
          {label}
        </Button>
      </div>
    )}
  </Dialog>
);
