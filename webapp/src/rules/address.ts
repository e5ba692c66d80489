import { isCountry } from './country';
import { messages } from './messages';
import { clean, judgeText, trim, upper, type Verdict } from './text';

/** The fields of a billing address in the form's order, under the specification's names. */
export const addressFields = ['country', 'state', 'line1', 'line2', 'district', 'pincode'] as const;

export type Address = Record<(typeof addressFields)[number], string>;

/** Returns a field's rule: the message for a text, or "" when it is valid. */
export function said(field: keyof typeof messages, judge: (text: string) => Verdict) {
  return (text: string): string => {
    const verdict = judge(text);
    return verdict === 'ok' ? '' : messages[field][verdict];
  };
}

/** The rules of an address. */
export const addressRules: Record<keyof Address, (text: string) => string> = {
  country: said('country', judgeCountry),
  state: said('state', judgeText),
  line1: said('line1', judgeText),
  line2: said('line2', judgeOptional),
  district: said('district', judgeText),
  pincode: said('pincode', judgePostalCode),
};

/** Returns the country code of the typed text. */
export const countryCode = (typed: string): string => upper(trim(typed));

function judgeCountry(typed: string): Verdict {
  const code = countryCode(typed);
  if (code === '') return 'missing';
  return isCountry(code) ? 'ok' : 'invalid';
}

/** Unlike in other texts, blanks alone are invalid here, not missing. */
function judgePostalCode(text: string): Verdict {
  return text !== '' && clean(text) === '' ? 'invalid' : judgeText(text);
}

function judgeOptional(text: string): Verdict {
  return clean(text) === '' ? 'ok' : judgeText(text);
}
