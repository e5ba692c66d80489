import { EllipsisVertical } from 'lucide-react';
import { type FocusEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { Button } from '@/components/Button';
import { cx } from '@/lib/cx';

interface Option {
  label: string;
  danger?: boolean;
  onSelect: () => void;
}

interface OptionsMenuProps {
  /** The label of the button. */
  label: string;
  options: readonly Option[];
  /** Whether the action of an option is running. */
  busy: boolean;
  /** Whether the menu can't be opened, because another action is running. */
  unavailable: boolean;
}

/** A button that opens a menu. It supports the keys of the menu button pattern of the ARIA Authoring Practices. */
export function OptionsMenu({ label, options, busy, unavailable }: OptionsMenuProps) {
  /** The index of the focused option; null while the menu is closed. */
  const [focusedIndex, setFocusedIndex] = useState<number | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  const isOpen = focusedIndex !== null;

  function close() {
    button.current?.focus();
    setFocusedIndex(null);
  }

  function openOnArrowKey(event: KeyboardEvent) {
    if (isOpen || busy || unavailable) return;
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    setFocusedIndex(event.key === 'ArrowDown' ? 0 : options.length - 1);
  }

  return (
    <div className="relative -mr-2">
      <Button
        ref={button}
        variant="quiet"
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        busy={busy}
        unavailable={unavailable}
        className="w-11 px-0!"
        // Keeps the focus in the open menu. The loss of focus would close the menu, and the click would open it again.
        onMouseDown={(event) => isOpen && event.preventDefault()}
        onClick={() => (isOpen ? close() : setFocusedIndex(0))}
        onKeyDown={openOnArrowKey}
      >
        <EllipsisVertical aria-hidden size={20} className="shrink-0" />
      </Button>
      {isOpen && <Menu {...{ id, label, options, focusedIndex, setFocusedIndex, close }} />}
    </div>
  );
}

interface MenuProps extends Pick<OptionsMenuProps, 'label' | 'options'> {
  id: string;
  focusedIndex: number;
  setFocusedIndex: (index: number | null) => void;
  close: () => void;
}

function Menu(props: MenuProps) {
  const { id, label, options, focusedIndex, setFocusedIndex, close } = props;
  const items = useRef<(HTMLButtonElement | null)[]>([]);
  useEffect(() => items.current[focusedIndex]?.focus(), [focusedIndex]);

  function closeOrMoveFocus(event: KeyboardEvent) {
    // `close` focuses the button, from which the browser then moves the focus to the next element.
    if (event.key === 'Tab') return close();
    const index = indexAfterKey(event.key, focusedIndex, options.length);
    if (event.key !== 'Escape' && index === undefined) return;
    event.preventDefault();
    if (index === undefined) close();
    else setFocusedIndex(index);
  }

  function closeOnBlur({ currentTarget, relatedTarget }: FocusEvent) {
    if (!currentTarget.contains(relatedTarget)) setFocusedIndex(null);
  }

  return (
    <div
      id={id}
      role="menu"
      tabIndex={-1}
      aria-label={label}
      onKeyDown={closeOrMoveFocus}
      onBlur={closeOnBlur}
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
 * Returns the index of the item that a key moves the focus to, wrapping around at both ends, or undefined for a key
 * that does not move the focus.
 */
function indexAfterKey(key: string, index: number, count: number): number | undefined {
  switch (key) {
    case 'ArrowDown':
      return (index + 1) % count;
    case 'ArrowUp':
      return (index + count - 1) % count;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }
}
