import { EllipsisVertical } from 'lucide-react';
import { type FocusEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { Button } from '@/components/Button';
import { cx } from '@/lib/cx';

export interface Option {
  label: string;
  danger?: boolean;
  onSelect: () => void;
}

interface OptionsMenuProps {
  /** The label of the button. */
  label: string;
  options: readonly Option[];
  /** One of the options is running. */
  busy: boolean;
  /** Disabled while another action is running. */
  unavailable: boolean;
}

/** A menu button as in the ARIA Authoring Practices. */
export function OptionsMenu({ label, options, busy, unavailable }: OptionsMenuProps) {
  /** The index of the focused option; null while the menu is closed. */
  const [at, setAt] = useState<number | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  const open = at !== null;

  function close() {
    button.current?.focus();
    setAt(null);
  }

  function openByArrowKey(event: KeyboardEvent) {
    if (open || busy || unavailable) return;
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    setAt(event.key === 'ArrowDown' ? 0 : options.length - 1);
  }

  return (
    <div className="relative -mr-2">
      <Button
        ref={button}
        look="quiet"
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        busy={busy}
        unavailable={unavailable}
        className="w-11 px-0!"
        // Keeps the focus in the open menu: a blur would close it, and the click would open it again.
        onMouseDown={(event) => open && event.preventDefault()}
        onClick={() => (open ? close() : setAt(0))}
        onKeyDown={openByArrowKey}
      >
        <EllipsisVertical aria-hidden size={20} className="shrink-0" />
      </Button>
      {open && <Menu {...{ id, label, options, at, setAt, close }} />}
    </div>
  );
}

interface MenuProps extends Pick<OptionsMenuProps, 'label' | 'options'> {
  id: string;
  at: number;
  setAt: (at: number | null) => void;
  close: () => void;
}

function Menu({ id, label, options, at, setAt, close }: MenuProps) {
  const items = useRef<(HTMLButtonElement | null)[]>([]);
  useEffect(() => items.current[at]?.focus(), [at]);

  function move(event: KeyboardEvent) {
    // Tab continues from the button.
    if (event.key === 'Tab') return close();
    const next = event.key === 'Escape' ? null : keyStep(event.key, at, options.length);
    if (next === undefined) return;
    event.preventDefault();
    if (next === null) close();
    else setAt(next);
  }

  function closeOnLeave({ currentTarget, relatedTarget }: FocusEvent) {
    if (!currentTarget.contains(relatedTarget)) setAt(null);
  }

  return (
    <div
      id={id}
      role="menu"
      tabIndex={-1}
      aria-label={label}
      onKeyDown={move}
      onBlur={closeOnLeave}
      className="absolute top-full right-0 z-10 mt-1 w-48 rounded-control border border-line bg-surface p-1 shadow-card"
    >
      {options.map((option, index) => (
        <button
          key={option.label}
          ref={(item) => {
            items.current[index] = item;
          }}
          type="button"
          role="menuitem"
          tabIndex={-1}
          onClick={() => {
            close();
            option.onSelect();
          }}
          className={cx(
            'block min-h-11 w-full rounded-[6px] px-3 text-left font-medium focus:outline-2 focus:-outline-offset-2 focus:outline-focus',
            option.danger ? 'text-danger hover:bg-danger-soft' : 'hover:bg-brand-soft',
          )}
        >
          {option.label}
        </button>
      ))}
    </div>
  );
}

/**
 * Returns the index of the item to focus after a key press at index `at` of `count` items, wrapping
 * around at both ends; undefined for other keys.
 */
function keyStep(key: string, at: number, count: number): number | undefined {
  switch (key) {
    case 'ArrowDown':
      return (at + 1) % count;
    case 'ArrowUp':
      return (at + count - 1) % count;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }
}
