import { useEffect } from 'react';
import { create } from 'zustand';

const useAnnounced = create<{ text: string }>()(() => ({ text: '' }));

/** Announces the text to screen readers, after earlier ones; nothing when it is false. */
export function useAnnouncement(text: string | false): void {
  useEffect(() => {
    if (!text) return;
    useAnnounced.setState({ text });
    return () => useAnnounced.setState({ text: '' });
  }, [text]);
}

/**
 * The live region of the announcements. It is rendered once, because screen readers ignore live
 * regions that are added later.
 */
export const Announcements = () => (
  <p aria-live="polite" className="sr-only">
    {useAnnounced(({ text }) => text)}
  </p>
);
