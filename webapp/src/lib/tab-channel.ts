/** A connection to the other tabs of the website. */
export interface TabChannel {
  send: (message: string) => void;
  close: () => void;
}

/**
 * Opens a channel to the other tabs. `onMessage` receives each message of another tab. The channel does nothing in browsers
 * that lack channels, or deny them because they block cookies.
 */
export function openTabChannel(name: string, onMessage: (message: string) => void): TabChannel {
  try {
    const channel = new BroadcastChannel(name);
    channel.addEventListener('message', ({ data }) => onMessage(data));
    return { send: (message) => channel.postMessage(message), close: () => channel.close() };
  } catch {
    return { send: () => {}, close: () => {} };
  }
}
