const countDigits = (text: string) => text.replace(/\D/g, '').length;

/** The index in `text` after this many digits. */
function afterDigits(text: string, count: number): number {
  let seen = 0;
  for (let at = 0; at < text.length; at++) {
    if (seen === count) return at;
    if (/\d/.test(text.charAt(at))) seen++;
  }
  return text.length;
}

/**
 * Formats what is typed into an input as it is typed, and keeps the caret where the person has it.
 * A separator that is deleted takes the digit beside it along: it would only come back otherwise.
 */
export function mask(input: HTMLInputElement, format: (text: string) => string): void {
  let previous = '';
  input.addEventListener('input', (event) => {
    const typed = input.value;
    let caret = input.selectionStart ?? typed.length;
    let text = format(typed);
    const deletion = (event as InputEvent).inputType?.startsWith('delete');
    if (deletion && typed !== previous && text === previous) {
      const digit = afterDigits(typed, countDigits(typed.slice(0, caret)) - 1);
      text = format(typed.slice(0, digit) + typed.slice(digit + 1));
      caret = digit;
    }
    const atEnd = caret >= typed.length;
    const digits = countDigits(typed.slice(0, caret));
    input.value = text;
    const place = atEnd ? text.length : afterDigits(text, digits);
    if (document.activeElement === input) input.setSelectionRange(place, place);
    previous = text;
  });
}
