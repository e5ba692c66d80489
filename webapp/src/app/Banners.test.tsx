import { render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { ConfigContext } from '@/modules/config/config-store';
import {
  aConfig,
  aLicense,
  anOpenPayment,
  anOrganisation,
  aUser,
  authenticationPayment,
  owedPayment,
} from '@/testing/fixtures';
import { Banners } from './Banners';

const dash = '/vc-admin/dash';

it.each([
  ['shown', 'an overdue invoice', 'invoices', anOpenPayment(), aLicense()],
  ['hidden', 'an overdue invoice', dash, anOpenPayment(), aLicense()],
  ['hidden', 'an overdue invoice', 'pay', anOpenPayment(), aLicense()],
  ['hidden', 'an overdue invoice', 'invoices/in_1', anOpenPayment(), aLicense()],
  ['shown', 'an overdue invoice', 'invoices/in_2', anOpenPayment(), aLicense()],
  ['hidden', 'a trial with an unapproved card', 'payment', authenticationPayment, aLicense()],
  ['hidden', 'a plan change', 'confirm', anOpenPayment({ kind: 'plan_change' }), aLicense()],
  ['shown', 'an overdue invoice', 'confirm', anOpenPayment(), aLicense()],
  ['hidden', 'an unpaid first payment', dash, anOpenPayment({ kind: 'first_payment' }), null],
  ['shown', 'an unpaid first payment', 'payment', anOpenPayment({ kind: 'first_payment' }), null],
  ['hidden', 'the owed invoice of a former plan', dash, owedPayment, null],
  ['shown', 'the owed invoice of an earlier plan', dash, owedPayment, aLicense()],
])('the banner is %s for %s on %s', (state, _, path, openPayment, license) => {
  render(
    <MemoryRouter>
      <ConfigContext value={aConfig()}>
        <Banners
          user={{ ...aUser({ openPayment, license }), org: anOrganisation() }}
          pathname={new URL(path, 'http://localhost/vc-admin/diy/').pathname}
        />
      </ConfigContext>
    </MemoryRouter>,
  );

  const banners = screen.queryAllByRole('region', { name: 'Open payment' });
  expect(banners).toHaveLength(state === 'shown' ? 1 : 0);
});
