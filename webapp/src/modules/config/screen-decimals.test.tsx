import { render, screen } from '@testing-library/react';
import { amountText } from '@/modules/billing/amount-text';
import { WithConfig } from '@/modules/session/WithConfig';
import { aConfig } from '@/testing/fixtures';
import { aud } from '@/testing/invoice-fixtures';
import { useConfig, useConfigStore } from './config-store';

const Amount = ({ minor }: { minor: number }) => <p>{amountText(useConfig(), aud(minor))}</p>;

/** Renders two independent parts of a screen. */
const renderParts = (first: number, second: number) =>
  render(
    <>
      <WithConfig>
        <Amount minor={first} />
      </WithConfig>
      <WithConfig>
        <Amount minor={second} />
      </WithConfig>
    </>,
  );

beforeEach(() => useConfigStore.setState({ state: { status: 'ready', config: aConfig() } }));
afterEach(() => window.history.replaceState(null, '', '/vc-admin/diy/plans'));

describe('the amounts of a screen', () => {
  it('have no decimals when all are whole', async () => {
    renderParts(81600, 4200);
    expect(await screen.findByText('$816 AUD')).toBeVisible();
    expect(screen.getByText('$42 AUD')).toBeVisible();
  });

  it('all have decimals when one of them, in another part, is not whole', async () => {
    renderParts(81600, 4250);
    expect(await screen.findByText('$816.00 AUD')).toBeVisible();
    expect(screen.getByText('$42.50 AUD')).toBeVisible();
  });

  it('have no decimals on the next screen, whose amounts are whole', async () => {
    const { unmount } = renderParts(81600, 4250);
    await screen.findByText('$816.00 AUD');
    unmount();
    window.history.replaceState(null, '', '/vc-admin/diy/invoices');
    renderParts(81600, 4200);
    expect(screen.getByText('$816 AUD')).toBeVisible();
  });
});
