import { withTimeLimit } from '@/lib/time-limit';
import type {
  CardProvider,
  ConfirmResult,
  IntentStatus,
} from '@/modules/payments/card-provider/port';
import { openAuthenticationDialog } from './authentication-dialog';
import { FakeCardField, type FakeCardHandle } from './FakeCardField';

const basePath = '/dev/payments';
/** Timeout of a request in milliseconds. */
const requestTimeout = 30_000;
const unreachableMessage =
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
      const input = field.current?.read();
      if (!input || 'message' in input) {
        return { ok: false, message: input?.message ?? unreachableMessage };
      }
      const result = await callApi<{ id: string }>('/payment_methods', { card: input.card });
      return result.ok ? { ok: true, paymentMethodId: result.value.id } : result;
    },
    confirmPayment: confirmIntent,
    confirmSetup: confirmIntent,
  };
}

/** Confirms an intent, with `card` if it is given, and opens the authentication dialog if the bank requires it. */
async function confirmIntent(secret: string, card?: string): Promise<ConfirmResult> {
  const path = `/intents/${encodeURIComponent(secret)}`;
  let result = card
    ? await callApi<Intent>(`${path}/confirm`, { payment_method: card })
    : await callApi<Intent>(path);
  if (!card && result.ok && result.value.status === 'requires_payment_method') {
    result = await callApi<Intent>(`${path}/confirm`, {});
  }
  if (!result.ok) return result;
  if (result.value.status !== 'requires_action') return { ok: true, status: result.value.status };
  const outcome = (await openAuthenticationDialog()) ? 'complete' : 'fail';
  result = await callApi<Intent>(`${path}/confirm`, { outcome });
  return result.ok ? authenticationResult(result.value) : result;
}

/** Returns the error of the intent after a failed authentication, otherwise its status. */
function authenticationResult(intent: Intent): ConfirmResult {
  const error = intent.last_payment_error ?? intent.last_setup_error;
  return intent.status === 'requires_payment_method' && error
    ? { ok: false, message: error.message }
    : { ok: true, status: intent.status };
}

/** Sends a GET, or a POST if there is a body. */
async function callApi<T>(path: string, body?: object): Promise<Result<T>> {
  try {
    const request = fetch(basePath + path, {
      ...(body !== undefined && {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      }),
    });
    const response = await withTimeLimit(request, requestTimeout);
    const data = await response.json();
    return response.ok
      ? { ok: true, value: data }
      : { ok: false, message: data.error?.message ?? unreachableMessage };
  } catch {
    return { ok: false, message: unreachableMessage };
  }
}
