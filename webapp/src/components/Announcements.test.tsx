import { render } from '@testing-library/react';
import { Announcements } from './Announcements';
import { Button } from './Button';

it('announces a busy button until it is no longer busy', () => {
  const page = (busy: boolean) => (
    <>
      <Announcements />
      <Button busy={busy}>Subscribe</Button>
    </>
  );
  const { container, rerender } = render(page(false));
  const region = container.querySelector('[aria-live=polite]');
  expect(region).toBeEmptyDOMElement();

  rerender(page(true));
  expect(region).toHaveTextContent('Please wait...');

  rerender(page(false));
  expect(region).toBeEmptyDOMElement();
});
