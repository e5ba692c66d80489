/** Whether the browser has an API to copy text, which pages without TLS lack. The browser may still deny a copy. */
export const canCopy = (): boolean => typeof navigator.clipboard?.writeText === 'function';

/** Copies the text and returns whether it succeeded. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
