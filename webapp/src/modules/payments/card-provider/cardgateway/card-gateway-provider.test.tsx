import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { server } from '@/testing/server';
import { cardGatewayProvider } from './card-gateway-provider';

const clientKeyUrl = 'https://cardgateway.example/clientKeys/test_1';
const token = '3ds2_8835000000000001';
const provider = cardGatewayProvider(clientKeyUrl);

/** Serves the status of a payment, and the result of its authentication. Returns the bodies of the requests. */
function servePayment(status: object, result: object) {
  const bodies: unknown[] = [];
  const url = `${clientKeyUrl}/threeDS2/${token}`;
  server.use(
    http.get(url, () => HttpResponse.json(status)),
    http.post(url, async ({ request }) => {
      bodies.push(await request.json());
      return HttpResponse.json(result);
    }),
  );
  return bodies;
}

const challenge = { resultCode: 'ChallengeShopper' };

describe('createPaymentMethod', () => {
  async function fillCard() {
    const { Field } = provider;
    if (!Field) throw new Error('the provider has a field');
    render(<Field className="" disabled={false} onChange={() => {}} />);
    await userEvent.type(screen.getByLabelText('Card number'), '4242424242424242');
    await userEvent.type(screen.getByLabelText('Expiry'), '1234');
    await userEvent.type(screen.getByLabelText('CVC'), '123');
  }

  it('returns the card encrypted with the public key of the provider', async () => {
    const algorithm = {
      name: 'RSA-OAEP',
      hash: 'SHA-256',
      modulusLength: 2048,
      publicExponent: new Uint8Array([1, 0, 1]),
    };
    const keys = await crypto.subtle.generateKey(algorithm, true, ['encrypt', 'decrypt']);
    const publicKey = await crypto.subtle.exportKey('spki', keys.publicKey);
    server.use(
      http.get(clientKeyUrl, () =>
        HttpResponse.json({ publicKey: Buffer.from(publicKey).toString('base64') }),
      ),
    );
    await fillCard();

    const result = await provider.createPaymentMethod();

    if (!result.ok) throw new Error(result.message);
    const encrypted = Buffer.from(result.paymentMethodId, 'base64');
    const card = await crypto.subtle.decrypt(algorithm, keys.privateKey, encrypted);
    expect(JSON.parse(Buffer.from(card).toString())).toEqual({
      number: '4242424242424242',
      expiryMonth: '12',
      expiryYear: '2034',
      cvc: '123',
    });
  });

  it('reports an unreachable provider', async () => {
    server.use(http.get(clientKeyUrl, () => HttpResponse.error()));
    await fillCard();
    expect(await provider.createPaymentMethod()).toEqual({
      ok: false,
      message: 'The payment provider could not be reached. Please try again.',
    });
  });

  it('reports an incomplete card', async () => {
    const { Field } = provider;
    if (Field) render(<Field className="" disabled={false} onChange={() => {}} />);
    expect(await provider.createPaymentMethod()).toEqual({
      ok: false,
      message: 'Your card number is incomplete.',
    });
  });
});

describe.each(['confirmPayment', 'confirmSetup'] as const)('%s', (method) => {
  it('returns the status of a payment that needs no authentication any more', async () => {
    const bodies = servePayment({ resultCode: 'Authorised' }, {});
    expect(await provider[method](token)).toEqual({ ok: true, status: 'succeeded' });
    expect(bodies).toEqual([]);
  });

  it('succeeds after the customer has passed the authentication', async () => {
    const bodies = servePayment(challenge, { resultCode: 'Authorised' });
    const result = provider[method](token);
    await userEvent.click(await screen.findByRole('button', { name: 'Complete' }));
    expect(await result).toEqual({ ok: true, status: 'succeeded' });
    expect(bodies).toEqual([{ transStatus: 'Y' }]);
  });

  it('reports a failed authentication', async () => {
    const refusal = { resultCode: 'Refused', refusalReason: '3D Not Authenticated' };
    const bodies = servePayment(challenge, refusal);
    const result = provider[method](token);
    await userEvent.click(await screen.findByRole('button', { name: 'Fail' }));
    expect(await result).toEqual({ ok: false, message: 'You did not confirm the payment.' });
    expect(bodies).toEqual([{ transStatus: 'N' }]);
  });

  it('reports a card that is declined after the authentication', async () => {
    servePayment(challenge, { resultCode: 'Refused', refusalReason: 'Refused' });
    const result = provider[method](token);
    await userEvent.click(await screen.findByRole('button', { name: 'Complete' }));
    expect(await result).toEqual({ ok: false, message: 'Your card was declined.' });
  });

  it('rejects if the provider does not answer, because the outcome is unknown', async () => {
    server.use(http.get(`${clientKeyUrl}/threeDS2/${token}`, () => HttpResponse.error()));
    await expect(provider[method](token)).rejects.toThrow();
  });
});
