import type { ReactElement, ReactNode } from 'react';
import { CircleAlertIcon } from './icons';

export interface FieldFrameProps {
  id: string;
  label: ReactNode;
  /** The error message shown under the field. */
  error?: string;
  /** Help for filling in the field, shown below it. */
  hint?: string | ReactElement;
  /** The id of an element outside of the frame that describes the field. */
  describedBy?: string;
  optional?: boolean;
}

/** The label, the field, the hint and the error, connected by ids. */
export function FieldFrame(
  props: FieldFrameProps & { children: ReactElement; className?: string },
) {
  const { id, label, error, hint, optional, children, className } = props;
  return (
    <div className={className}>
      <label htmlFor={id} className="mb-1 block font-semibold">
        <span>{label}</span>
        {optional && <span className="font-normal text-muted"> (optional)</span>}
      </label>
      {children}
      {hint && (
        <p id={`${id}-hint`} className="mt-1 text-sm text-muted">
          {hint}
        </p>
      )}
      <p id={`${id}-error`} className="mt-1 flex gap-1.5 text-sm text-danger empty:hidden">
        {error && <CircleAlertIcon size={16} className="mt-0.5 shrink-0" />}
        {error && <span>{error}</span>}
      </p>
    </div>
  );
}

/** Returns the attributes that connect an input to its label, error, hint and further description. */
export const controlAttributes = ({
  id,
  error,
  hint,
  describedBy,
}: Pick<FieldFrameProps, 'id' | 'error' | 'hint' | 'describedBy'>) => ({
  id,
  'aria-invalid': error ? true : undefined,
  'aria-describedby':
    [error && `${id}-error`, hint && `${id}-hint`, describedBy].filter(Boolean).join(' ') ||
    undefined,
});

/** The classes that inputs and selects share. */
export const controlClass =
  'block min-h-11 w-full rounded-control border border-control-line bg-surface px-3 py-2 text-ink ' +
  'placeholder:text-muted hover:border-brand aria-invalid:border-danger disabled:bg-paper disabled:text-muted';
