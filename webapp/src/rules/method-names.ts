/** The display names of card brands, by the name of the provider. */
const brandNames: Readonly<Record<string, string>> = {
  amex: 'American Express',
  cartes_bancaires: 'Cartes Bancaires',
  diners: 'Diners Club',
  discover: 'Discover',
  eftpos_au: 'eftpos',
  girocard: 'girocard',
  interac: 'Interac',
  jcb: 'JCB',
  link: 'Link',
  mastercard: 'Mastercard',
  unionpay: 'UnionPay',
  visa: 'Visa',
  unknown: 'Card',
};

/** The display names of the types of payment methods, by Stripe's name. */
const typeNames: Readonly<Record<string, string>> = {
  ach_credit_transfer: 'ACH credit transfer',
  ach_debit: 'ACH Direct Debit',
  acss_debit: 'Pre-authorised debit',
  affirm: 'Affirm',
  afterpay_clearpay: 'Afterpay',
  alipay: 'Alipay',
  alma: 'Alma',
  amazon_pay: 'Amazon Pay',
  apple_pay: 'Apple Pay',
  au_becs_debit: 'BECS Direct Debit',
  bacs_debit: 'Bacs Direct Debit',
  bancontact: 'Bancontact',
  billie: 'Billie',
  blik: 'BLIK',
  boleto: 'Boleto',
  cashapp: 'Cash App Pay',
  crypto: 'Cryptocurrency',
  custom: 'Other payment method',
  customer_balance: 'Bank transfer',
  eps: 'EPS',
  fpx: 'FPX',
  giropay: 'giropay',
  google_pay: 'Google Pay',
  grabpay: 'GrabPay',
  ideal: 'iDEAL',
  interac_present: 'Interac',
  kakao_pay: 'Kakao Pay',
  klarna: 'Klarna',
  konbini: 'Konbini',
  kr_card: 'Korean card',
  link: 'Link',
  mb_way: 'MB WAY',
  mobilepay: 'MobilePay',
  multibanco: 'Multibanco',
  naver_pay: 'Naver Pay',
  nz_bank_account: 'New Zealand bank account',
  oxxo: 'OXXO',
  p24: 'Przelewy24',
  pay_by_bank: 'Pay by bank',
  payco: 'PAYCO',
  paynow: 'PayNow',
  paypal: 'PayPal',
  payto: 'PayTo',
  pix: 'Pix',
  promptpay: 'PromptPay',
  revolut_pay: 'Revolut Pay',
  samsung_pay: 'Samsung Pay',
  satispay: 'Satispay',
  sepa_credit_transfer: 'SEPA credit transfer',
  sepa_debit: 'SEPA Direct Debit',
  sofort: 'Sofort',
  stripe_account: 'Stripe balance',
  swish: 'Swish',
  twint: 'TWINT',
  upi: 'UPI',
  us_bank_account: 'ACH Direct Debit',
  wechat: 'WeChat Pay',
  wechat_pay: 'WeChat Pay',
  zip: 'Zip',
};

/** Matches the names that providers give to brands and types, such as 'kakao_pay'. */
const identifier = /^[a-z][a-z0-9_]*$/;

/** Returns 'Kakao pay' for 'kakao_pay'. */
function capitaliseIdentifier(id: string): string {
  const words = id.replaceAll('_', ' ').trimEnd();
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

/** Whether the brand has a display name. */
export const isKnownBrand = (brand: string): boolean => Object.hasOwn(brandNames, brand);

/**
 * Returns the display name of a card brand. A brand without a name of its own is capitalised, and anything that is not
 * the name of a brand is a 'Card'.
 */
export function brandName(brand: string): string {
  if (isKnownBrand(brand)) return brandNames[brand] as string;
  return identifier.test(brand) ? capitaliseIdentifier(brand) : 'Card';
}

/**
 * Returns the display name of a type of payment methods. A type without a name of its own is capitalised. A text that is not
 * the name of a type is already a label for customers, and returned unchanged.
 */
export function methodTypeName(label: string): string {
  if (Object.hasOwn(typeNames, label)) return typeNames[label] as string;
  if (identifier.test(label)) return capitaliseIdentifier(label);
  return /^(__.*|_?)$/.test(label) ? 'Payment method' : label;
}
