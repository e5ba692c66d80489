import type {
  CardProvider,
  ConfirmResult,
  IntentStatus,
} from '@/modules/payments/card-provider/port';
import { authenticate } from './authentication-dialog';
import type { CardData } from './card';
import { FakeCardField, type FakeCardHandle } from './FakeCardField';

const base = '/dev/payments';
const timeout = 30_000;
const unreachable =
  'We are experiencing issues connecting to our payments provider. Please try again.';

/** A payment, or the authentication of a card. */
interface Intent {
  status: IntentStatus;
  last_payment_error?: { message: string };
  last_setup_error?: { message: string };
}

type Result<T> = { ok: true; value: T } | { ok: false; message: string };

/** The fake provider in the browser; adapters/fakepayment/doc.go describes the API it calls. */
export function fakeProvider(): CardProvider {
  const field: { current: FakeCardHandle | null } = { current: null };
  return {
    Field: (props) => <FakeCardField {...props} ref={field} />,
    async createPaymentMethod() {
      const read = field.current?.read();
      if (!read || 'message' in read) return { ok: false, message: read?.message ?? unreachable };
      const created = await call<{ id: string }>('/payment_methods', { card: read.card });
      return created.ok ? { ok: true, paymentMethodId: created.value.id } : created;
    },
    confirmPayment: confirm,
    confirmSetup: confirm,
  };
}

/** Charges another card if one is given, and opens the authentication dialog if the bank requires it. */
async function confirm(secret: string, card?: string): Promise<ConfirmResult> {
  const path = `/intents/${encodeURIComponent(secret)}`;
  let found = card
    ? await call<Intent>(`${path}/confirm`, { payment_method: card })
    : await call<Intent>(path);
  if (!card && found.ok && found.value.status === 'requires_payment_method') {
    found = await call<Intent>(`${path}/confirm`, {});
  }
  if (!found.ok) return found;
  if (found.value.status !== 'requires_action') return { ok: true, status: found.value.status };
  const outcome = (await authenticate()) ? 'complete' : 'fail';
  const authenticated = await call<Intent>(`${path}/confirm`, { outcome });
  return authenticated.ok ? afterAuthentication(authenticated.value) : authenticated;
}

/** A failed authentication returns the intent, whose error is shown to the customer. */
function afterAuthentication(intent: Intent): ConfirmResult {
  const error = intent.last_payment_error ?? intent.last_setup_error;
  return intent.status === 'requires_payment_method' && error
    ? { ok: false, message: error.message }
    : { ok: true, status: intent.status };
}

/** Sends a GET, or a POST with the body. */
async function call<T>(path: string, body?: { card: CardData } | object): Promise<Result<T>> {
  try {
    const response = await fetch(base + path, {
      signal: AbortSignal.timeout(timeout),
      ...(body !== undefined && {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      }),
    });
    const data = await response.json();
    return response.ok
      ? { ok: true, value: data }
      : { ok: false, message: data.error?.message ?? unreachable };
  } catch {
    return { ok: false, message: unreachable };
  }
}
