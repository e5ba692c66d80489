import type { Config } from '@/api';
import { offerOf } from '@/features/payment/offer';
import { upper } from '@/rules/text';
import type { Choice } from './registration-payload';

/**
 * A choice as far as it is sold, empty where it is not: an address can be mistyped, and the server
 * takes no registration for what nobody could come back to.
 */
export function soldChoice(config: Config, choice: Choice): Choice {
  const planned = offerOf(config, choice) !== null;
  const sold = config.currencies.some(({ code }) => code === upper(choice.currency));
  return {
    product: planned ? choice.product : '',
    interval: planned ? choice.interval : '',
    currency: sold ? choice.currency : '',
  };
}
