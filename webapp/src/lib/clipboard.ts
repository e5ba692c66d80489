/** Whether the browser can copy text. It can't on pages without TLS, and a browser may deny it later. */
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
