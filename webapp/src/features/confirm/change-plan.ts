import type { PriceChoice } from '@/api';
import { priceIdOf } from '@/rules/prices';
import type { PriceRef } from '@/rules/types';

/** A price the way the calls name it. */
export const choiceOf = ({ product, interval, currency }: PriceRef): PriceChoice => ({
  priceId: priceIdOf({ product, interval }),
  interval,
  currency,
});
