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

/** Whether there is a name for the brand, and with it a mark. */
export const isKnownBrand = (brand: string): boolean => brand in brands;

/** A card's brand as people know it; just 'Card' for one that nobody knows. */
export const brandName = ({ card }: Card): string => brands[card.brand] ?? 'Card';

/** A card in words that can be read out: 'Visa ending in 4242'. */
export const cardName = (card: Card): string => `${brandName(card)} ending in ${card.card.last4}`;

/** A card the way receipts show it: '•••• 4242'. */
export const maskedNumber = ({ card }: Card): string => `•••• ${card.last4}`;

/** 'Expires 12/2034'. */
export const expiry = ({ card }: Card): string => `Expires ${card.exp_month}/${card.exp_year}`;
