// A substitute for https://js.stripe.com/…/stripe.js with the functions that this app and
// @stripe/react-stripe-js call. As with the real script, cards are entered in a frame of js.stripe.com,
// which sends them to api.stripe.com, and authentication is a frame of hooks.stripe.com, so the tests
// cover the content security policy.
(() => {
  const scriptOrigin = 'https://js.stripe.com';
  const hooksOrigin = 'https://hooks.stripe.com';
  const apiOrigin = 'https://api.stripe.com';

  /** The card field: a frame and the message port to it. */
  class CardElement {
    #listeners = new Map();
    #frame = document.createElement('iframe');
    #port;
    #pending = new Map();
    #onDestroy;

    constructor(options, onDestroy) {
      this.#onDestroy = onDestroy;
      this.#frame.title = 'Secure card payment input frame';
      this.#frame.src = `${scriptOrigin}/stand-in/card.html`;
      this.#frame.style.border = 'none';
      this.#frame.style.width = '100%';
      this.#frame.style.height = '120px';
      this.#frame.addEventListener('load', () => this.#connect(options));
    }

    #connect(options) {
      const { port1, port2 } = new MessageChannel();
      this.#port = port1;
      port1.onmessage = ({ data }) => {
        if (data.event) return this.#emit(data.event, data.detail);
        this.#pending.get(data.id)(data.response);
        this.#pending.delete(data.id);
      };
      this.#frame.contentWindow.postMessage('port', scriptOrigin, [port2]);
      this.update(options);
    }

    #emit(event, detail) {
      for (const listener of this.#listeners.get(event) ?? []) listener(detail);
    }

    /** Sends a command to the frame and returns its response. */
    send(command, key) {
      const id = crypto.randomUUID();
      return new Promise((resolve) => {
        this.#pending.set(id, resolve);
        this.#port.postMessage({ command, key, id });
      });
    }

    mount(container) {
      container.append(this.#frame);
    }

    on(event, listener) {
      this.#listeners.set(event, [...(this.#listeners.get(event) ?? []), listener]);
      return this;
    }

    off(event, listener) {
      const otherListeners = (this.#listeners.get(event) ?? []).filter(
        (other) => other !== listener,
      );
      this.#listeners.set(event, otherListeners);
      return this;
    }

    update({ disabled = false } = {}) {
      this.#port?.postMessage({ command: 'update', disabled });
    }

    destroy() {
      this.#frame.remove();
      this.#onDestroy();
    }
  }

  function elements() {
    let card = null;
    return {
      create(type, options) {
        if (type !== 'card') throw new Error(`The element ${type} is not supported.`);
        card = new CardElement(options, () => {
          card = null;
        });
        return card;
      },
      getElement: (type) => ((type.__elementType ?? type) === 'card' ? card : null),
      update() {},
    };
  }

  /** Confirms an intent, shows the authentication if it is required, and returns the result. */
  async function confirm(key, kind, secret, data) {
    const path = `/v1/${kind}s/${secret.split('_secret_')[0]}`;
    const credentials = { key, client_secret: secret };
    const intent = await call('POST', `${path}/confirm`, {
      ...credentials,
      ...data,
      use_stripe_sdk: true,
    });
    if (intent.error || intent.next_action === null) return toResult(kind, intent);
    await authenticate(intent.next_action.use_stripe_sdk.stripe_js);
    return toResult(kind, await call('GET', path, credentials));
  }

  function toResult(kind, intent) {
    const error = intent.error ?? intent.last_payment_error ?? intent.last_setup_error;
    if (error) return { error };
    return kind === 'payment_intent' ? { paymentIntent: intent } : { setupIntent: intent };
  }

  /** Shows the authentication page until the cardholder has completed or failed it. */
  function authenticate(path) {
    const bank = document.createElement('iframe');
    bank.title = '3D Secure authentication';
    bank.src = `${hooksOrigin}/stand-in/bank.html?${new URLSearchParams({ path })}`;
    Object.assign(bank.style, { position: 'fixed', inset: 0, margin: 'auto', background: 'white' });
    document.body.append(bank);
    return new Promise((resolve) => {
      window.addEventListener('message', function onMessage({ origin, source }) {
        if (origin !== hooksOrigin || source !== bank.contentWindow) return;
        window.removeEventListener('message', onMessage);
        bank.remove();
        resolve();
      });
    });
  }

  async function call(method, path, params) {
    const form = new URLSearchParams(params);
    const url = method === 'GET' ? `${apiOrigin}${path}?${form}` : apiOrigin + path;
    try {
      const body = method === 'GET' ? undefined : form;
      return await (await fetch(url, { method, body })).json();
    } catch {
      return { error: { type: 'api_connection_error', message: 'Stripe can not be reached.' } };
    }
  }

  function Stripe(key) {
    return {
      elements,
      createToken: async () => ({ error: { message: 'Card tokens are not supported.' } }),
      createPaymentMethod: ({ card }) => card.send('createPaymentMethod', key),
      confirmCardPayment: (secret, data) => confirm(key, 'payment_intent', secret, data),
      confirmCardSetup: (secret, data) => confirm(key, 'setup_intent', secret, data),
      registerAppInfo() {},
      _registerWrapper() {},
    };
  }
  Stripe.version = document.currentScript.src.split('/').at(-2);
  window.Stripe = Stripe;
})();
