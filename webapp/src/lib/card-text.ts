import type { Card } from '@/api';

const brands: Record<string, string> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  diners: 'Diners Club',
  discover: 'Discover',
  jcb: 'JCB',
  unionpay: 'UnionPay',
};

/** Whether the brand has a display name and a logo. */
export const isKnownBrand = (brand: string): boolean => brand in brands;

/** The display name of a card's brand; 'Card' for an unknown one. */
export const brandName = ({ card }: Card): string => brands[card.brand] ?? 'Card';

/** A card as text for screen readers: 'Visa ending in 4242'; the label of another method. */
export const cardName = (card: Card): string =>
  card.label ?? `${brandName(card)} ending in ${card.card.last4}`;

/** The masked number of a card, '•••• 4242'; the label of another method. */
export const maskedNumber = ({ card, label }: Card): string => label ?? `•••• ${card.last4}`;

/** 'Expires 12/2034'; empty for a method that is no card. */
export const expiry = ({ card, label }: Card): string =>
  label ? '' : `Expires ${card.exp_month}/${card.exp_year}`;

/** The noun for a saved card, or another method, within a sentence. */
export const methodNoun = ({ label }: Card): string => (label ? 'payment method' : 'card');
