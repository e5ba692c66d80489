import { screen, within } from '@testing-library/react';
import { routes } from '@/lib/paths';
import { serveConfig, serveVisitor } from '@/testing/handlers';
import { firstPaints } from './prerender';
import { renderApp } from './testing';

/** Without it, the registration redirects to the plans. */
const choice = 'product=professional&interval=yearly&currency=AUD';
const paints = Object.entries(firstPaints());

beforeEach(() => {
  serveConfig();
  serveVisitor();
});

it.each(paints)('the app renders the prerendered markup of %s', (address, paint) => {
  renderApp(address === routes.regform ? `${address}?${choice}` : address);

  expect(screen.getByRole('main').innerHTML).toBe(paint);
});

it.each(paints)(
  'the prerendered markup of %s contains no interactive element',
  (_address, paint) => {
    const page = document.createElement('main');
    page.innerHTML = paint;

    expect(within(page).getByRole('heading', { level: 1 })).toHaveTextContent(/./);
    expect(page.querySelector('a, button, input, select, [tabindex="0"]')).toBeNull();
  },
);
