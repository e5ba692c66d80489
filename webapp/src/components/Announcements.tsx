import { useEffect } from 'react';
import { create } from 'zustand';

const useAnnouncementStore = create<{ text: string }>()(() => ({ text: '' }));

/** Announces a text politely to screen readers. With false, announces nothing. */
export function useAnnouncement(text: string | false): void {
  useEffect(() => {
    if (!text) return;
    useAnnouncementStore.setState({ text });
    return () => useAnnouncementStore.setState({ text: '' });
  }, [text]);
}

/**
 * The live region of the announcements. It is rendered once, because screen readers ignore live
 * regions that are added later.
 */
export const Announcements = () => (
  <p aria-live="polite" className="sr-only">
    {useAnnouncementStore(({ text }) => text)}
  </p>
);
