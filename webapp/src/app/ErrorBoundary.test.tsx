import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type ComponentType, lazy, Suspense } from 'react';
import { MemoryRouter } from 'react-router-dom';
import { loadChunk } from '@/lib/load-chunk';
import { ErrorBoundary } from './ErrorBoundary';

const reload = vi.fn();

function renderScreen(Screen: ComponentType) {
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

const lazyScreen = (chunk: Promise<{ default: ComponentType }>) => lazy(() => loadChunk(chunk));

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
});

describe('ErrorBoundary', () => {
  it('offers to reload when the script of a screen fails to load', async () => {
    renderScreen(lazyScreen(Promise.reject(new TypeError('Failed to fetch'))));

    expect(await screen.findByRole('alert')).toHaveTextContent('ChunkLoadError');
    await userEvent.click(screen.getByRole('button', { name: 'Reload the page' }));

    expect(reload).toHaveBeenCalledOnce();
  });

  it('shows the ChunkLoadError when the script takes longer than 120 seconds', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    renderScreen(lazyScreen(new Promise(() => {})));

    await act(() => vi.advanceTimersByTimeAsync(118_000));
    expect(screen.getByText('Loading...')).toBeVisible();
    await act(() => vi.advanceTimersByTimeAsync(2_000));

    expect(await screen.findByRole('alert')).toHaveTextContent('ChunkLoadError');
  });

  it('shows "Something went wrong" when a screen throws', async () => {
    renderScreen(() => {
      throw new Error('Oh no');
    });

    expect(await screen.findByRole('heading', { name: 'Something went wrong' })).toBeVisible();
    expect(screen.queryByText('ChunkLoadError')).not.toBeInTheDocument();
  });
});
