import { screen, within } from '@testing-library/react';
import { routes } from '@/lib/paths';
import { serveConfig, serveVisitor } from '@/testing/handlers';
import { prerenderScreens } from './prerender';
import { renderApp } from './testing';

/** The query without which the registration redirects to the plans. */
const choice = 'product=professional&interval=yearly&currency=AUD';
const screens = Object.entries(prerenderScreens());

beforeEach(() => {
  serveConfig();
  serveVisitor();
});

it.each(screens)('the app renders the prerendered markup of %s', (path, markup) => {
  renderApp(path === routes.regform ? `${path}?${choice}` : path);

  expect(screen.getByRole('main').innerHTML).toBe(markup);
});

it.each(screens)(
  'the prerendered markup of %s contains no interactive element',
  (_path, markup) => {
    const page = document.createElement('main');
    page.innerHTML = markup;

    expect(within(page).getByRole('heading', { level: 1 })).toHaveTextContent(/./);
    expect(page.querySelector('a, button, input, select, [tabindex="0"]')).toBeNull();
  },
);
