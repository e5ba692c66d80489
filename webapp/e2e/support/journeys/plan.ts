import { expect } from '@playwright/test';
import { post, signedIn } from '../api';
import { overdue } from '../open-payment';
import {
  afterTrial,
  expectText,
  fail,
  hold,
  type Journey,
  onTrial,
  open,
  release,
} from './journey';

const summary = '/vc-admin/org/billing';

/** The billing and end screens, and the menu of the organisation. */
export const planJourneys: readonly Journey[] = [
  {
    name: 'billing on a trial, ending and resuming',
    async run(page, context) {
      await onTrial(page);
      await open(page, '/vc-admin/diy/billing');
      await expectText(page, /^Free trial: /);
      await expectText(page, /^Your first invoice comes on/);
      await context.show('billing');
      await page.getByRole('button', { name: /Physiotherapy/ }).click();
      await context.check('billing-menu');
      await open(page, '/vc-admin/diy/end');
      await expectText(page, /^You keep your Professional trial/);
      await context.show('end');
      await page.getByRole('button', { name: 'End Professional' }).click();
      await expect(page.getByRole('heading', { name: /^Professional ends on/ })).toBeVisible();
      await context.show('end-result');
      await open(page, '/vc-admin/diy/billing');
      await expectText(page, 'Resume Professional');
      await context.show('billing-ending');
    },
  },
  {
    name: 'billing with a scheduled change, while it loads and when it fails',
    async run(page, context) {
      await onTrial(page);
      await post(page.request, '/vc-admin/org/subscription/update', {
        priceId: 'standard_yearly',
        interval: 'yearly',
        currency: 'AUD',
        when: 'renewal',
      });
      await open(page, '/vc-admin/diy/billing');
      await expectText(page, /^Standard from/);
      await context.show('billing-scheduled');
      await hold(page, summary);
      await open(page, '/vc-admin/diy/billing');
      await context.check('billing-loading');
      await release(page, summary);
      await fail(page, context, summary, 502);
      await open(page, '/vc-admin/diy/billing');
      await expectText(page, 'Please try again later!');
      await context.check('billing-failed');
    },
  },
  {
    name: 'billing without a plan',
    async run(page, context) {
      await signedIn(page.request);
      await open(page, '/vc-admin/diy/billing');
      await expectText(page, 'You have no plan yet');
      await context.check('billing-no-plan');
      await open(page, '/vc-admin/diy/end');
      await expectText(page, 'There is nothing to end');
      await context.check('end-nothing');
    },
  },
  // These advance the server's clock.
  {
    name: 'billing and end of an overdue plan',
    async run(page, context) {
      await overdue(page);
      await open(page, '/vc-admin/diy/billing');
      await expectText(page, /A payment of \$816 AUD is overdue/);
      await context.show('billing-overdue');
      await open(page, '/vc-admin/diy/end');
      await expectText(page, /^Professional ends at once/);
      await context.check('end-overdue');
    },
  },
  {
    name: 'billing after the end of a plan',
    async run(page, context) {
      await afterTrial(page);
      await open(page, '/vc-admin/diy/billing');
      await expectText(page, /^Subscribe again/);
      await context.show('billing-ended');
    },
  },
];
