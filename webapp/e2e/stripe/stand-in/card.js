// The inside of the card field's frame: the only place that sees the card, and who sends it.
const inputs = [...document.querySelectorAll('input')];
let line;

function typed() {
  const [number, expiry, cvc] = inputs.map(({ value }) => value.replace(/\D/g, ''));
  return { number, month: expiry.slice(0, 2), year: expiry.slice(2), cvc };
}

function change() {
  const { number, year, cvc } = typed();
  const complete = number.length >= 15 && year.length === 2 && cvc.length >= 3;
  return { elementType: 'card', complete, empty: inputs.every(({ value }) => value === '') };
}

async function createPaymentMethod(key) {
  const { number, month, year, cvc } = typed();
  const body = new URLSearchParams({
    key,
    type: 'card',
    'card[number]': number,
    'card[exp_month]': month,
    'card[exp_year]': year,
    'card[cvc]': cvc,
  });
  try {
    const answer = await fetch('https://api.stripe.com/v1/payment_methods', {
      method: 'POST',
      body,
    });
    const made = await answer.json();
    return made.error ? made : { paymentMethod: made };
  } catch {
    return { error: { type: 'api_connection_error', message: 'Stripe can not be reached.' } };
  }
}

async function obey({ what, key, number, disabled }) {
  if (what === 'createPaymentMethod') {
    line.postMessage({ number, answer: await createPaymentMethod(key) });
  } else {
    for (const input of inputs) input.disabled = disabled;
  }
}

function tell() {
  line.postMessage({ event: 'change', detail: change() });
}

// Whoever types before the page has a line to its field is heard once there is one.
window.addEventListener(
  'message',
  ({ ports: [port] }) => {
    line = port;
    line.onmessage = ({ data }) => obey(data);
    line.postMessage({ event: 'ready' });
    tell();
    for (const input of inputs) input.addEventListener('input', tell);
  },
  { once: true },
);
