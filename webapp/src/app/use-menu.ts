import { type RefObject, useCallback, useEffect, useState } from 'react';
import { useLocation } from 'react-router-dom';

/** Returns the state of a menu. A navigation or Escape closes it; Escape also moves the focus to the menu's button. */
export function useMenu(button: RefObject<HTMLButtonElement | null>) {
  const { key: locationKey } = useLocation();
  /** The key of the location at which the menu was opened. A navigation changes the key and so closes the menu. */
  const [openLocationKey, setOpenLocationKey] = useState<string | null>(null);
  const isOpen = openLocationKey === locationKey;
  const close = useCallback(() => setOpenLocationKey(null), []);
  const toggle = () => setOpenLocationKey(isOpen ? null : locationKey);

  useEffect(() => {
    if (!isOpen) return;
    const closeOnEscape = ({ key }: KeyboardEvent) => {
      if (key !== 'Escape') return;
      close();
      button.current?.focus(); // the link with the focus may be hidden now
    };
    document.addEventListener('keydown', closeOnEscape);
    return () => document.removeEventListener('keydown', closeOnEscape);
  }, [isOpen, close, button]);

  return { isOpen, close, toggle };
}
