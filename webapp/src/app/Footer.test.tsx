import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { serveConfig, serveUser, serveVisitor } from '@/testing/handlers';
import { usePhoneViewport } from '@/testing/viewport';
import { renderApp } from './testing';

describe('the footer', () => {
  it('shows the links, contact details, badges and copyright of the configuration', async () => {
    serveConfig();
    serveVisitor();
    renderApp('/vc-admin/diy/plans');
    await screen.findByText('ISO 27001');
    const footer = within(screen.getByRole('contentinfo'));

    expect(footer.getByRole('link', { name: 'Security' })).toHaveAttribute(
      'href',
      'https://www.vision.example/security',
    );
    expect(footer.getByText('Level 3, 20 Example Street')).toBeVisible();
    expect(footer.getByRole('link', { name: 'sales@vision.example' })).toHaveAttribute(
      'href',
      'mailto:sales@vision.example',
    );
    expect(footer.getByRole('link', { name: '+61 2 5550 0100' })).toHaveAttribute(
      'href',
      'tel:+61255500100',
    );
    expect(footer.getByRole('link', { name: 'LinkedIn' })).toBeVisible();
    expect(
      within(footer.getByRole('list', { name: 'Certifications' })).getByText('GDPR'),
    ).toBeVisible();
    expect(footer.getByText('© 2022 Vision Telehealth Pty Ltd')).toBeVisible();
  });

  it('opens only the clicked column on a phone', async () => {
    usePhoneViewport();
    serveConfig();
    serveVisitor();
    renderApp('/vc-admin/diy/plans');
    const link = await screen.findByRole('link', { name: 'LinkedIn', hidden: true });
    expect(link).not.toBeVisible();

    await userEvent.click(screen.getByText('Follow us'));

    expect(link).toBeVisible();
    expect(screen.getByText('sales@vision.example')).not.toBeVisible();
  });

  it.each([
    '/vc-admin/diy/payment?product=professional&currency=AUD&interval=yearly&debug=true',
    '/vc-admin/diy/pay',
  ])('shows its columns on a wide screen at %s', async (path) => {
    serveConfig();
    serveUser();
    renderApp(path);
    await screen.findByText('ISO 27001');
    expect(screen.getByText('Level 3, 20 Example Street')).toBeVisible();
  });

  it('shows links, address and copyright to a signed-in user', async () => {
    serveConfig();
    serveUser();
    renderApp('/vc-admin/diy/plans');
    await screen.findByText('ISO 27001');
    const footer = within(screen.getByRole('contentinfo'));

    for (const name of ['Security', 'Privacy', 'sales@vision.example', 'LinkedIn']) {
      expect(footer.getByRole('link', { name })).toBeVisible();
    }
    expect(footer.getByText('Level 3, 20 Example Street')).toBeVisible();
    expect(footer.getByText('© 2022 Vision Telehealth Pty Ltd')).toBeVisible();
  });
});
