import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter, Route, Routes } from 'react-router-dom';
import { Link } from './Link';
import { PageTitle } from './PageTitle';

const First = () => (
  <>
    <PageTitle>First</PageTitle>
    <Link to="/second">On</Link>
  </>
);

it('names the tab, and takes the focus after a navigation only', async () => {
  render(
    <MemoryRouter>
      <Routes>
        <Route path="/" element={<First />} />
        <Route path="/second" element={<PageTitle title="Two">Second</PageTitle>} />
      </Routes>
    </MemoryRouter>,
  );
  expect(document.title).toBe('First · Vision');
  expect(document.body).toHaveFocus();

  await userEvent.click(screen.getByRole('link'));

  expect(document.title).toBe('Two · Vision');
  expect(screen.getByRole('heading', { name: 'Second' })).toHaveFocus();
});
