import { render, screen } from '@testing-library/react';
import { CookiesNotice } from './CookiesNotice';

it('says that cookies are needed when the browser blocks them', () => {
  vi.spyOn(navigator, 'cookieEnabled', 'get').mockReturnValue(false);

  render(<CookiesNotice />);

  expect(screen.getByRole('alert')).toHaveTextContent(/Your browser blocks cookies.*Allow cookies/);
});

it('is empty when the browser accepts cookies', () => {
  vi.spyOn(navigator, 'cookieEnabled', 'get').mockReturnValue(true);

  expect(render(<CookiesNotice />).container).toBeEmptyDOMElement();
});
