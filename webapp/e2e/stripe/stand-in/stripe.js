// Stands in for https://js.stripe.com/…/stripe.js: as much of it as this app and
// @stripe/react-stripe-js call, with the real one's ways. Cards are typed into a frame of
// js.stripe.com, which alone sends them, to api.stripe.com; the bank asks in a frame of
// hooks.stripe.com. So a page's content security policy meets what the real script would do.
(() => {
  const scripts = 'https://js.stripe.com';
  const hooks = 'https://hooks.stripe.com';
  const api = 'https://api.stripe.com';

  /** The card field: a frame, and a line to it. */
  class CardElement {
    #listeners = new Map();
    #frame = document.createElement('iframe');
    #line;
    #asked = new Map();
    #gone;

    constructor(options, gone) {
      this.#gone = gone;
      this.#frame.title = 'Secure card payment input frame';
      this.#frame.src = `${scripts}/stand-in/card.html`;
      this.#frame.style.border = 'none';
      this.#frame.style.width = '100%';
      this.#frame.style.height = '120px';
      this.#frame.addEventListener('load', () => this.#connect(options));
    }

    #connect(options) {
      const { port1, port2 } = new MessageChannel();
      this.#line = port1;
      port1.onmessage = ({ data }) => {
        if (data.event) return this.#tell(data.event, data.detail);
        this.#asked.get(data.number)(data.answer);
        this.#asked.delete(data.number);
      };
      this.#frame.contentWindow.postMessage('line', scripts, [port2]);
      this.update(options);
    }

    #tell(event, detail) {
      for (const listener of this.#listeners.get(event) ?? []) listener(detail);
    }

    /** Has the frame do something with its card. */
    ask(what, key) {
      const number = crypto.randomUUID();
      return new Promise((resolve) => {
        this.#asked.set(number, resolve);
        this.#line.postMessage({ what, key, number });
      });
    }

    mount(place) {
      place.append(this.#frame);
    }

    on(event, listener) {
      this.#listeners.set(event, [...(this.#listeners.get(event) ?? []), listener]);
      return this;
    }

    off(event, listener) {
      const left = (this.#listeners.get(event) ?? []).filter((each) => each !== listener);
      this.#listeners.set(event, left);
      return this;
    }

    update({ disabled = false } = {}) {
      this.#line?.postMessage({ what: 'update', disabled });
    }

    destroy() {
      this.#frame.remove();
      this.#gone();
    }
  }

  function elements() {
    let card = null;
    return {
      create(type, options) {
        if (type !== 'card') throw new Error(`There is no ${type} element here.`);
        card = new CardElement(options, () => {
          card = null;
        });
        return card;
      },
      getElement: (wanted) => ((wanted.__elementType ?? wanted) === 'card' ? card : null),
      update() {},
    };
  }

  /** Confirms an intent, asks the bank's question when there is one, and tells what came of it. */
  async function confirm(key, kind, secret, data) {
    const path = `/v1/${kind}s/${secret.split('_secret_')[0]}`;
    const known = { key, client_secret: secret };
    const tried = await call('POST', `${path}/confirm`, {
      ...known,
      ...data,
      use_stripe_sdk: true,
    });
    if (tried.error || tried.next_action === null) return told(kind, tried);
    await askHolder(tried.next_action.use_stripe_sdk.stripe_js);
    return told(kind, await call('GET', path, known));
  }

  function told(kind, intent) {
    const error = intent.error ?? intent.last_payment_error ?? intent.last_setup_error;
    if (error) return { error };
    return kind === 'payment_intent' ? { paymentIntent: intent } : { setupIntent: intent };
  }

  /** Shows the bank's page until the card's holder has answered it. */
  function askHolder(path) {
    const bank = document.createElement('iframe');
    bank.title = '3D Secure authentication';
    bank.src = `${hooks}/stand-in/bank.html?${new URLSearchParams({ path })}`;
    Object.assign(bank.style, { position: 'fixed', inset: 0, margin: 'auto', background: 'white' });
    document.body.append(bank);
    return new Promise((resolve) => {
      window.addEventListener('message', function answered({ origin, source }) {
        if (origin !== hooks || source !== bank.contentWindow) return;
        window.removeEventListener('message', answered);
        bank.remove();
        resolve();
      });
    });
  }

  async function call(method, path, params) {
    const form = new URLSearchParams(params);
    const url = method === 'GET' ? `${api}${path}?${form}` : api + path;
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
      createToken: async () => ({ error: { message: 'Cards are not made to tokens here.' } }),
      createPaymentMethod: ({ card }) => card.ask('createPaymentMethod', key),
      confirmCardPayment: (secret, data) => confirm(key, 'payment_intent', secret, data),
      confirmCardSetup: (secret, data) => confirm(key, 'setup_intent', secret, data),
      registerAppInfo() {},
      _registerWrapper() {},
    };
  }
  Stripe.version = document.currentScript.src.split('/').at(-2);
  window.Stripe = Stripe;
})();
