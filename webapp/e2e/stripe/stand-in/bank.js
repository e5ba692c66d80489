// The bank's page: tells the local Stripe how the authentication ended, then the page around it.
const path = new URLSearchParams(location.search).get('path');

for (const button of document.querySelectorAll('button')) {
  button.addEventListener('click', async () => {
    const body = new URLSearchParams({ outcome: button.value });
    await fetch(`https://api.stripe.com${path}`, { method: 'POST', body });
    window.parent.postMessage('answered', '*');
  });
}
