import { screen, within } from '@testing-library/react';
import { serveConfig, serveVisitor } from '@/testing/handlers';
import { renderApp } from '@/testing/render-app';

describe('the footer', () => {
  it('shows the branding', async () => {
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
});
