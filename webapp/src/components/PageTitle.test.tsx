import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Link, MemoryRouter, useLocation, useNavigate } from 'react-router-dom';
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

it('leaves the focus where it is when its screen replaces the URL', async () => {
  const ReplacingScreen = () => {
    const navigate = useNavigate();
    return (
      <>
        <PageTitle>Cards</PageTitle>
        <button type="button" onClick={() => navigate({ search: '' }, { replace: true })}>
          Save
        </button>
      </>
    );
  };
  render(
    <MemoryRouter initialEntries={[{ search: '?returned=1', key: 'default' }]}>
      <ReplacingScreen />
    </MemoryRouter>,
  );

  await userEvent.click(screen.getByRole('button'));

  expect(screen.getByRole('button')).toHaveFocus();
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
