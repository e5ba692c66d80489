// The frame of the card field. Only this frame sees the card data and sends it to the API.
const inputs = [...document.querySelectorAll('input')];
let port;

function readInputs() {
  const [number, expiry, cvc] = inputs.map(({ value }) => value.replace(/\D/g, ''));
  return { number, month: expiry.slice(0, 2), year: expiry.slice(2), cvc };
}

/** Returns the event that Stripe.js sends when the card changes. */
function changeEvent() {
  const { number, year, cvc } = readInputs();
  const complete = number.length >= 15 && year.length === 2 && cvc.length >= 3;
  return { elementType: 'card', complete, empty: inputs.every(({ value }) => value === '') };
}

async function createPaymentMethod(key) {
  const { number, month, year, cvc } = readInputs();
  const form = new URLSearchParams({
    key,
    type: 'card',
    'card[number]': number,
    'card[exp_month]': month,
    'card[exp_year]': year,
    'card[cvc]': cvc,
  });
  try {
    const response = await fetch('https://api.stripe.com/v1/payment_methods', {
      method: 'POST',
      body: form,
    });
    const body = await response.json();
    return body.error ? body : { paymentMethod: body };
  } catch {
    return { error: { type: 'api_connection_error', message: 'Stripe can not be reached.' } };
  }
}

async function runCommand({ command, key, id, disabled }) {
  if (command === 'createPaymentMethod') {
    port.postMessage({ id, response: await createPaymentMethod(key) });
  } else {
    for (const input of inputs) input.disabled = disabled;
  }
}

function sendChange() {
  port.postMessage({ event: 'change', detail: changeEvent() });
}

// The page sends a message port. Input that was typed before is reported as soon as the port arrives.
window.addEventListener(
  'message',
  ({ ports }) => {
    [port] = ports;
    port.onmessage = ({ data }) => runCommand(data);
    port.postMessage({ event: 'ready' });
    sendChange();
    for (const input of inputs) input.addEventListener('input', sendChange);
  },
  { once: true },
);
