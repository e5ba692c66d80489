import { withTimeLimit } from '@/lib/time-limit';
import { openAuthenticationDialog } from '@/modules/payments/card-provider/fake/authentication-dialog';
import {
  FakeCardField,
  type FakeCardHandle,
} from '@/modules/payments/card-provider/fake/FakeCardField';
import type {
  CardProvider,
  ConfirmResult,
  IntentStatus,
} from '@/modules/payments/card-provider/port';

/** Timeout of a request in milliseconds. */
const requestTimeout = 30_000;
const unreachableMessage = 'The payment provider could not be reached. Please try again.';

/** The result of a payment. */
interface PaymentResult {
  resultCode: string;
  refusalReason?: string;
}

const statuses: Record<string, IntentStatus> = {
  Authorised: 'succeeded',
  Cancelled: 'canceled',
  ChallengeShopper: 'requires_action',
  RedirectShopper: 'requires_action',
};

/**
 * The browser side of the provider in testdata/consumers/cardgateway. It encrypts cards for the provider, and authenticates
 * customers in the page. `clientKeyUrl` is the URL of the client key at the provider.
 */
export function cardGatewayProvider(clientKeyUrl: string): CardProvider {
  const field: { current: FakeCardHandle | null } = { current: null };

  async function confirm(token: string): Promise<ConfirmResult> {
    const url = `${clientKeyUrl}/threeDS2/${encodeURIComponent(token)}`;
    let result = await callApi<PaymentResult>(url);
    if (statuses[result.resultCode] === 'requires_action') {
      const transStatus = (await openAuthenticationDialog()) ? 'Y' : 'N';
      result = await callApi<PaymentResult>(url, { transStatus });
    }
    const status = statuses[result.resultCode];
    return status ? { ok: true, status } : { ok: false, message: messageOf(result) };
  }

  return {
    Field: (props) => <FakeCardField {...props} ref={field} />,
    async createPaymentMethod() {
      const input = field.current?.read();
      if (!input || 'message' in input) {
        return { ok: false, message: input?.message ?? unreachableMessage };
      }
      const { number, exp_month, exp_year, cvc } = input.card;
      const expiry = { expiryMonth: String(exp_month), expiryYear: String(exp_year) };
      try {
        const { publicKey } = await callApi<{ publicKey: string }>(clientKeyUrl);
        return { ok: true, paymentMethodId: await encrypt({ number, ...expiry, cvc }, publicKey) };
      } catch {
        return { ok: false, message: unreachableMessage };
      }
    },
    confirmPayment: confirm,
    confirmSetup: confirm,
  };
}

/** Returns the message for the customer about a refused payment. */
function messageOf({ refusalReason }: PaymentResult): string {
  return refusalReason === '3D Not Authenticated'
    ? 'You did not confirm the payment.'
    : 'Your card was declined.';
}

/**
 * Encrypts a card with the public key, which is a SubjectPublicKeyInfo in base64. Rejects in a browser without SubtleCrypto,
 * and on a page without HTTPS.
 */
async function encrypt(card: object, publicKey: string): Promise<string> {
  const keyBytes = Uint8Array.from(atob(publicKey), (char) => char.charCodeAt(0));
  const algorithm = { name: 'RSA-OAEP', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('spki', keyBytes, algorithm, false, ['encrypt']);
  const text = new TextEncoder().encode(JSON.stringify(card));
  const encrypted = new Uint8Array(await crypto.subtle.encrypt(algorithm, key, text));
  return btoa(String.fromCharCode(...encrypted));
}

/** Sends a GET, or a POST if there is a body. Rejects if the provider does not answer, or refuses the request. */
async function callApi<T>(url: string, body?: object): Promise<T> {
  const request = fetch(url, {
    ...(body !== undefined && {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    }),
  });
  const response = await withTimeLimit(request, requestTimeout);
  if (!response.ok) throw new Error(unreachableMessage);
  return response.json();
}
