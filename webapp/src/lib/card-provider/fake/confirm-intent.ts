import { authenticate } from './authentication-dialog';
import { type Answer, browserFace, type Intent } from './browser-face';

/**
 * Brings an intent to its end as Stripe's script does: tries another card when one is given, asks
 * the bank's question when there is one, and tells what came of it.
 */
export async function confirmIntent(secret: string, card?: string): Promise<Answer<Intent>> {
  const found = await begin(secret, card);
  if ('error' in found || found.value.status !== 'requires_action') return found;
  const outcome = (await authenticate()) ? 'complete' : 'fail';
  const ended = await browserFace.confirm(secret, { outcome });
  return 'error' in ended ? ended : refused(ended.value);
}

async function begin(secret: string, card?: string): Promise<Answer<Intent>> {
  if (card) return browserFace.confirm(secret, { payment_method: card });
  const found = await browserFace.intent(secret);
  const unpaid = 'value' in found && found.value.status === 'requires_payment_method';
  return unpaid ? browserFace.confirm(secret, {}) : found;
}

/** A failed authentication returns the intent, whose error is shown to the customer. */
function refused(intent: Intent): Answer<Intent> {
  const error = intent.last_payment_error ?? intent.last_setup_error;
  return intent.status === 'requires_payment_method' && error ? { error } : { value: intent };
}
