/** What is known of a card from its first digits: the provider's name for it, and its shape. */
export interface Brand {
  name: string;
  /** The displayed name; empty for an unknown brand. */
  label: string;
  lengths: readonly number[];
  /** The sizes of the digit groups. */
  groups: readonly number[];
  cvcLength: number;
}

const groupsOfFour = [4, 4, 4, 4, 3] as const;

const unknown: Brand = {
  name: 'unknown',
  label: '',
  lengths: [16],
  groups: groupsOfFour,
  cvcLength: 3,
};

const brands: readonly (Brand & { starts: RegExp })[] = [
  { ...unknown, name: 'visa', label: 'Visa', starts: /^4/ },
  {
    ...unknown,
    name: 'mastercard',
    label: 'Mastercard',
    starts: /^(5[1-5]|2(22[1-9]|2[3-9]|[3-6]|7[01]|720))/,
  },
  {
    name: 'amex',
    label: 'American Express',
    lengths: [15],
    groups: [4, 6, 5],
    cvcLength: 4,
    starts: /^3[47]/,
  },
  {
    ...unknown,
    name: 'diners',
    label: 'Diners Club',
    lengths: [14, 16],
    starts: /^3(0[0-5]|[689])/,
  },
  { ...unknown, name: 'jcb', label: 'JCB', starts: /^35/ },
  { ...unknown, name: 'discover', label: 'Discover', starts: /^6(011|5|4[4-9])/ },
  {
    ...unknown,
    name: 'unionpay',
    label: 'UnionPay',
    lengths: [16, 17, 18, 19],
    starts: /^62/,
  },
];

/** The brand of a card number with this prefix. */
export function brandOf(digits: string): Brand {
  return brands.find(({ starts }) => starts.test(digits)) ?? unknown;
}
