import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Link, MemoryRouter, useLocation } from 'react-router-dom';
import { PageTitle } from './PageTitle';

function Screen() {
  if (useLocation().pathname === '/second') return <PageTitle title="Two">Second</PageTitle>;
  return (
    <>
      <PageTitle>First</PageTitle>
      <Link to="/second">On</Link>
    </>
  );
}

it('sets the document title, and takes the focus only after a navigation', async () => {
  render(
    <MemoryRouter>
      <Screen />
    </MemoryRouter>,
  );
  expect(document.title).toBe('First · Vision');
  expect(document.body).toHaveFocus();

  await userEvent.click(screen.getByRole('link'));

  expect(document.title).toBe('Two · Vision');
  expect(screen.getByRole('heading', { name: 'Second' })).toHaveFocus();
});

it('takes the focus and scrolls to the top with focusOnMount', () => {
  const scroll = vi.spyOn(window, 'scrollTo').mockImplementation(() => {});
  render(
    <MemoryRouter>
      <PageTitle focusOnMount>Done</PageTitle>
    </MemoryRouter>,
  );

  expect(screen.getByRole('heading', { name: 'Done' })).toHaveFocus();
  expect(scroll).toHaveBeenCalledExactlyOnceWith(0, 0);
});
