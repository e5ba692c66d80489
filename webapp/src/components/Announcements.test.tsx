import { render } from '@testing-library/react';
import { Announcements } from './Announcements';
import { Button } from './Button';

it('announces that a button is busy until it is done', () => {
  const page = (busy: boolean) => (
    <>
      <Announcements />
      <Button busy={busy}>Subscribe</Button>
    </>
  );
  const { container, rerender } = render(page(false));
  const said = container.querySelector('[aria-live=polite]');
  expect(said).toBeEmptyDOMElement();

  rerender(page(true));
  expect(said).toHaveTextContent('Please wait...');

  rerender(page(false));
  expect(said).toBeEmptyDOMElement();
});
