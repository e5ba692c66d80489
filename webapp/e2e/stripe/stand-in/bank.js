// The issuer's authentication page: sends the outcome to the fake Stripe API, then notifies the parent page.
const path = new URLSearchParams(location.search).get('path');

for (const button of document.querySelectorAll('button')) {
  button.addEventListener('click', async () => {
    const body = new URLSearchParams({ outcome: button.value });
    await fetch(`https://api.stripe.com${path}`, { method: 'POST', body });
    window.parent.postMessage('authenticated', '*');
  });
}
