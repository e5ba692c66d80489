import type { ComponentProps, MouseEvent } from 'react';
import { cx } from '@/lib/cx';
import { useAnnouncement } from './Announcements';
import { Spinner } from './Loading';

type ButtonVariant = 'primary' | 'secondary' | 'quiet' | 'danger' | 'unavailable';

const variantClasses: Record<ButtonVariant, string> = {
  // The transparent border is visible in forced colours.
  primary: 'border border-transparent bg-brand text-on-brand hover:bg-brand-strong',
  secondary: 'border border-control-line bg-surface text-ink hover:border-brand hover:text-brand',
  quiet: 'border border-transparent text-brand hover:bg-brand-soft',
  danger: 'border border-danger text-danger hover:bg-danger-soft',
  unavailable:
    'border border-line bg-paper text-muted cursor-not-allowed forced-colors:text-[GrayText]',
};

/** Returns the classes of a button, which links can have too. */
export const buttonClass = (
  variant: ButtonVariant = 'primary',
  wide = false,
  small = false,
): string =>
  cx(
    'inline-flex items-center justify-center gap-x-2 rounded-control font-semibold',
    'text-center no-underline transition-colors print:hidden',
    small ? 'min-h-9 px-3 py-1 text-sm' : cx('min-h-11 py-2', wide ? 'w-full px-2' : 'px-4'),
    variantClasses[variant],
  );

interface ButtonProps extends ComponentProps<'button'> {
  variant?: ButtonVariant;
  /** Whether the button has the full width of its container. */
  wide?: boolean;
  /** Whether the button is small, for the head or a row of a table. */
  small?: boolean;
  /** Whether an action is running. A busy button keeps the focus and its width, and ignores clicks. */
  busy?: boolean;
  /** The label while busy; without one a spinner covers the label. */
  busyLabel?: string;
  /** Whether clicks are ignored. The button can still be focused, so that its description can explain why. */
  unavailable?: boolean;
}

/** A button, which announces to screen readers that it is busy. */
export function Button(props: ButtonProps) {
  const { variant, wide, small, busy = false, busyLabel, unavailable = false, ...rest } = props;
  const { children, className, onClick, type = 'button', ...attributes } = rest;
  const isInert = busy || unavailable;
  useAnnouncement(busy && 'Please wait...');

  function handleClick(event: MouseEvent<HTMLButtonElement>) {
    if (isInert) event.preventDefault();
    else onClick?.(event);
  }

  return (
    <button
      {...attributes}
      type={type}
      onClick={handleClick}
      aria-busy={busy || undefined}
      aria-disabled={isInert || undefined}
      data-busy-label={busyLabel}
      className={cx(
        buttonClass(unavailable || attributes.disabled ? 'unavailable' : variant, wide, small),
        'relative',
        busyLabel && 'reserve-busy-label',
        className,
      )}
    >
      {busy ? <BusyLabel label={busyLabel}>{children}</BusyLabel> : children}
    </button>
  );
}

function BusyLabel({ label, children }: { label?: string; children: React.ReactNode }) {
  if (label) {
    return (
      <>
        <Spinner />
        <span>{label}</span>
      </>
    );
  }
  return (
    <>
      <span className="opacity-0">{children}</span>
      <Spinner className="absolute inset-0 m-auto" />
    </>
  );
}
