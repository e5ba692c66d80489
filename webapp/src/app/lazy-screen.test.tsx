import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Suspense } from 'react';
import { MemoryRouter } from 'react-router-dom';
import { ErrorBoundary } from './ErrorBoundary';
import { lazyScreen } from './lazy-screen';

const reload = vi.fn();

function show(Screen: React.ComponentType) {
  render(
    <MemoryRouter>
      <ErrorBoundary reload={reload}>
        <Suspense fallback="Loading...">
          <Screen />
        </Suspense>
      </ErrorBoundary>
    </MemoryRouter>,
  );
}

describe('a screen that is loaded when it is shown', () => {
  it('shows', async () => {
    show(lazyScreen(async () => () => <h1>Cards</h1>));

    expect(await screen.findByRole('heading', { name: 'Cards' })).toBeVisible();
  });

  it('offers to reload when its script does not load', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    show(lazyScreen(() => Promise.reject(new TypeError('Failed to fetch'))));

    expect(await screen.findByRole('alert')).toHaveTextContent('ChunkLoadError');
    await userEvent.click(screen.getByRole('button', { name: 'Reload the page' }));

    expect(reload).toHaveBeenCalledOnce();
  });

  it('gives its script up after 120 seconds', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    vi.useFakeTimers({ shouldAdvanceTime: true });
    show(lazyScreen(() => new Promise(() => {})));

    await act(() => vi.advanceTimersByTimeAsync(118_000));
    expect(screen.getByText('Loading...')).toBeVisible();
    await act(() => vi.advanceTimersByTimeAsync(2_000));

    expect(await screen.findByRole('alert')).toHaveTextContent('ChunkLoadError');
    vi.useRealTimers();
  });

  it('is told apart from a screen that broke', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    show(() => {
      throw new Error('Oh no');
    });

    expect(await screen.findByRole('heading', { name: 'Something went wrong' })).toBeVisible();
    expect(screen.queryByText('ChunkLoadError')).not.toBeInTheDocument();
  });
});
