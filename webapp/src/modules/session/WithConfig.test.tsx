import { act, render, renderHook, screen } from '@testing-library/react';
import { useConfig, useConfigStore } from '@/modules/config/config-store';
import { aConfig, anOrganisation, aUser } from '@/testing/fixtures';
import { useBrowserZone } from '@/testing/time-zone';
import { longDate } from './dates';
import { useSessionStore } from './session-store';
import { useScreenConfig } from './use-screen-config';
import { WithConfig } from './WithConfig';

const midnight = new Date('2026-12-31T13:00:00Z'); // the start of 1 January in Sydney

const MidnightDate = () => <p>{longDate(midnight, useConfig().timeZone)}</p>;

function signIn(timeZone?: string) {
  const user = { ...aUser(), org: anOrganisation({ timeZone }) };
  useSessionStore.setState({
    session: { status: 'signedIn', user, customer: null, error: null, token: '' },
  });
}

it('WithConfig provides the time zone of the organisation, also after a change of the address', () => {
  useBrowserZone('Europe/London');
  useConfigStore.setState({ state: { status: 'ready', config: aConfig() } });
  signIn('Australia/Sydney');
  render(
    <WithConfig>
      <MidnightDate />
    </WithConfig>,
  );
  expect(screen.getByText('1 January 2027')).toBeVisible();

  act(() => signIn('Australia/Brisbane'));
  expect(screen.getByText('31 December 2026')).toBeVisible();
});

it('useScreenConfig returns the same object until the configuration or the time zone changes', () => {
  useConfigStore.setState({ state: { status: 'ready', config: aConfig() } });
  signIn('Australia/Sydney');
  const { result, rerender } = renderHook(useScreenConfig);
  const config = result.current;
  expect(config?.timeZone).toBe('Australia/Sydney');

  rerender();
  expect(result.current).toBe(config);
  act(() => signIn('Australia/Brisbane'));
  expect(result.current?.timeZone).toBe('Australia/Brisbane');
});
