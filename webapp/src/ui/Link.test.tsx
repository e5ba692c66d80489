import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter, useLocation } from 'react-router-dom';
import { Link } from './Link';

function Here() {
  const { pathname, state } = useLocation();
  return <p>{`${pathname} ${JSON.stringify(state)}`}</p>;
}

const show = (link: React.ReactNode) =>
  render(
    <MemoryRouter initialEntries={['/start']}>
      {link}
      <Here />
    </MemoryRouter>,
  );

describe('Link', () => {
  it('goes on within the app and takes its state along', async () => {
    show(
      <Link to="/next?debug=true" state={{ from: 'here' }}>
        On
      </Link>,
    );
    expect(screen.getByRole('link', { name: 'On' })).toHaveAttribute('href', '/next?debug=true');

    await userEvent.click(screen.getByRole('link'));

    expect(screen.getByText('/next {"from":"here"}')).toBeVisible();
  });

  it('leaves a click with a key to the browser', async () => {
    const user = userEvent.setup();
    show(<Link to="/next">On</Link>);

    await user.keyboard('{Control>}');
    await user.click(screen.getByRole('link'));

    expect(screen.getByText('/start null')).toBeVisible();
  });
});
