import { expect } from '@playwright/test';
import { licenses, signedIn, startTrial } from './api';
import { goToConfirm } from './confirm';
import { advanceClock } from './dev';
import { cards } from './payment';
import { newPerson } from './person';
import { professional } from './plans';
import { afterTrial, type Visit, visit } from './visit';

/** What fits no line of a phone. */
const longWords = {
  org: 'Wirbelsäulengymnastikpraxisgemeinschaft',
  email: 'wirbelsaeulengymnastik@praxisgemeinschaft-oberhausen.example',
};

/** Plans, confirmation and dashboard with the licenses that take some getting to. */
export const licenseVisits: readonly Visit[] = [
  {
    name: 'plans-developer',
    async open(page, { server }) {
      await signedIn(page.request);
      const { orgId } = await licenses(page.request);
      await server.command('license', 'dev', '--org', orgId);
      await visit(page, '/vc-admin/diy/plans?debug=true');
      await expect(page.getByText('You have a developer licence.')).toBeVisible();
    },
  },
  {
    name: 'dashboard-long-word',
    async open(page) {
      await signedIn(page.request, { ...newPerson(), ...longWords });
      await visit(page, '/vc-admin/dash');
      await expect(page.getByText(longWords.email)).toBeVisible();
    },
  },
  {
    name: 'dashboard-past-due',
    async open(page) {
      await signedIn(page.request);
      await startTrial(page.request, cards.declinedWhenCharged);
      await advanceClock(page.request, '169h');
      await visit(page, '/vc-admin/dash');
      await expect(page.getByText('past due')).toBeVisible();
    },
  },
  {
    name: 'plans-ended',
    async open(page) {
      await afterTrial(page);
      await visit(page, '/vc-admin/diy/plans?debug=true');
      await expect(page.getByRole('button', { name: 'Update your plan' })).toHaveCount(2);
    },
  },
  {
    name: 'confirm-renewal',
    async open(page) {
      await afterTrial(page);
      await goToConfirm(page, professional);
      await expect(page.getByText('•••• 0341')).toBeVisible();
    },
  },
];
