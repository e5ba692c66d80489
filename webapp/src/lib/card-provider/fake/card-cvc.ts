import type { Brand } from './brand';
import { type FieldCheck, invalid } from './field-check';

/** The digits of a security code. It has no more than the brand's, or four until that is known. */
export function formatCvc(text: string, brand: Brand): string {
  return text.replace(/\D/g, '').slice(0, brand.label ? brand.cvcLength : 4);
}

export function checkCvc(text: string, brand: Brand): FieldCheck {
  if (formatCvc(text, brand).length >= brand.cvcLength) return null;
  return invalid('incomplete', 'incomplete_cvc', "Your card's security code is incomplete.");
}
