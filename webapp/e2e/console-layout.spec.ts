import { expectAccessiblePages } from './support/accessible-pages';
import { getLicenses, signInOnTrial } from './support/api';
import { test } from './support/test';

test('the operator console is accessible on wide and small screens in both colour schemes', async ({
  page,
  guard,
}) => {
  const { email } = await signInOnTrial(page);
  const { orgId } = await getLicenses(page.request);
  guard.expect(404, '/console/organisations/org_unknown');
  await expectAccessiblePages(
    page,
    '/console',
    `/console/search?q=${encodeURIComponent(email)}`,
    '/console/search?q=unknown',
    `/console/organisations/${orgId}`,
    '/console/organisations/org_unknown',
    '/console/attention',
    '/console/work',
    '/console/audit',
  );
});
