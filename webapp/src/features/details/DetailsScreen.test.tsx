import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import type { BillingDetails } from '@/api';
import { dateText } from '@/testing/date-text';
import { deferred } from '@/testing/deferred';
import { billingDetails } from '@/testing/fixtures';
import { errorResponse, serveConfig, servePost, serveUser } from '@/testing/handlers';
import { renderScreen } from '@/testing/render-screen';
import { server } from '@/testing/server';
import DetailsScreen from './DetailsScreen';

/** Responds to edits with the edited details; returns the edits. */
function serveEdits() {
  const edits: object[] = [];
  server.use(
    http.post('/vc-admin/org/billing/edit', async ({ request }) => {
      edits.push((await request.json()) as object);
      return HttpResponse.json(Object.assign({ ...billingDetails }, ...edits));
    }),
  );
  return edits;
}

const serveFailure = (...failure: Parameters<typeof errorResponse>) =>
  servePost('/vc-admin/org/billing/edit', () => errorResponse(...failure));

/** Opens the screen with the fixture's details and these changes, and waits for the form. */
async function openDetailsScreen(
  details: Partial<BillingDetails> = {},
  user: Parameters<typeof serveUser>[0] = {},
) {
  serveConfig();
  serveUser(user);
  server.use(
    http.get('/vc-admin/org/billing/details', () =>
      HttpResponse.json({ ...billingDetails, ...details }),
    ),
  );
  const location = renderScreen(DetailsScreen, '/vc-admin/diy/details');
  await screen.findByLabelText('Legal name');
  await screen.findByText('New South Wales');
  return location;
}

const field = (label: RegExp | string) => screen.getByLabelText(label);
const fill = async (label: RegExp | string, text: string) => {
  await userEvent.clear(field(label));
  if (text) await userEvent.type(field(label), text);
};
const pressSave = () => userEvent.click(screen.getByRole('button', { name: 'Save' }));

it('sends only changed details, normalised, and nothing when no detail has changed', async () => {
  const edits = serveEdits();
  await openDetailsScreen();
  expect(field('Legal name')).toHaveValue('Byron Clinic');

  await fill(/^Purchase order number/, ' PO  4711 ');
  await fill(/^ABN/, '51 824 753 556');
  await pressSave();

  expect(await screen.findByText('Saved')).toBeVisible();
  expect(edits).toEqual([
    { purchaseOrder: 'PO 4711', taxId: { type: 'au_abn', value: '51824753556' } },
  ]);
  expect(field(/^ABN/)).toHaveValue('51 824 753 556');
  await pressSave();
  expect(await screen.findByText('Nothing has changed.')).toBeVisible();
  expect(edits).toHaveLength(1);
});

it('sends the details once, also when the customer types meanwhile', async () => {
  const response = deferred<Response>();
  const edits = servePost('/vc-admin/org/billing/edit', () => response.promise);
  await openDetailsScreen();
  await fill('Legal name', 'Byron Clinic Pty Ltd');
  await pressSave();
  await userEvent.type(field('Legal name'), 'x{Enter}');

  expect(screen.getByRole('button', { name: 'Saving...' })).toHaveAttribute('aria-busy', 'true');
  response.resolve(HttpResponse.json({ ...billingDetails, legalName: 'Byron Clinic Pty Ltd' }));
  expect(await screen.findByText('Saved')).toBeVisible();
  expect(edits).toHaveLength(1);
});

it('turns off the PDF in emails to the billing email', async () => {
  const edits = serveEdits();
  await openDetailsScreen({ billingEmail: 'accounts@byron.example', attachPdf: true });
  const checkbox = screen.getByRole('checkbox', { name: /^Attach the PDF to emails/ });
  expect(checkbox).toBeChecked();

  await userEvent.click(checkbox);
  await pressSave();

  expect(await screen.findByText('Saved')).toBeVisible();
  expect(edits).toEqual([{ attachPdf: false }]);
  expect(checkbox).not.toBeChecked();
});

it.each([
  ['without a billing email', { attachPdf: true }],
  ['from a server without the setting', { billingEmail: 'accounts@byron.example' }],
])('does not offer the PDF in emails %s', async (_, details) => {
  await openDetailsScreen(details);
  expect(screen.queryByRole('checkbox')).not.toBeInTheDocument();
});

it('updates the preview of the next invoice while the customer types', async () => {
  await openDetailsScreen();
  const preview = screen.getByRole('region', { name: 'On your next invoice' });
  expect(preview).toHaveTextContent('ToByron Clinic');
  expect(preview).not.toHaveTextContent('Purchase order');

  await fill('Legal name', 'Byron Clinic Pty Ltd');
  await fill(/^Purchase order number/, 'PO 4711');
  await fill(/^ABN/, '51 824 753 556');

  expect(preview).toHaveTextContent('ToByron Clinic Pty Ltd');
  expect(preview).toHaveTextContent('ABN 51 824 753 556Purchase orderPO 4711');
});

it('previews a legal name that is also the street', async () => {
  const logged = vi.spyOn(console, 'error');
  await openDetailsScreen();
  const street = screen.getByLabelText<HTMLInputElement>('Billing address line 1').value;
  await fill('Legal name', street);
  expect(screen.getAllByText(street)).toHaveLength(2);
  expect(logged).not.toHaveBeenCalled(); // as React does for lines with the same key
});

it('does not preview a tax id that is invalid or that the server refused', async () => {
  await openDetailsScreen();
  serveFailure('ERRVALIDATION', 'Please check what you entered.', 400, {
    taxId: 'This number is not registered',
  });
  const preview = screen.getByRole('region', { name: 'On your next invoice' });

  await fill(/^ABN/, '51 824 753 557');
  expect(preview).not.toHaveTextContent('ABN');
  await fill(/^ABN/, '51 824 753 556');
  expect(preview).toHaveTextContent('ABN 51 824 753 556');
  await pressSave();

  await screen.findByText('This number is not registered');
  expect(preview).not.toHaveTextContent('ABN');
});

it('warns at its field that the billing email refuses emails', async () => {
  const billingEmail = 'accounts@clinic.example';
  const requests = servePost('/vc-admin/org/billing/email/resend', () => HttpResponse.json({}));
  await openDetailsScreen({ billingEmail }, { unreachableEmails: [billingEmail] });

  expect(field(/^Billing email/)).toHaveAccessibleDescription(
    /We can’t reach accounts@clinic\.example/,
  );
  expect(screen.queryByRole('link', { name: 'Enter another billing email' })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Send the link' }));
  expect(requests).toEqual([{ email: billingEmail }]);
});

describe('the link to the email preferences', () => {
  const link = () => screen.queryByRole('link', { name: 'Choose the emails you receive' });

  it('passes the token without showing it in the URL', async () => {
    const location = await openDetailsScreen({ emailPreferencesToken: 'TOKEN' });
    expect(link()).toHaveAttribute('href', '/vc-admin/auth/emails');
    await userEvent.click(link() as HTMLElement);
    expect(location).toEqual({ path: '/vc-admin/auth/emails', state: { token: 'TOKEN' } });
  });

  it('is absent without a token', async () => {
    await openDetailsScreen();
    expect(link()).toBeNull();
  });
});

it('sends the whole address when one of its fields has changed', async () => {
  const edits = serveEdits();
  await openDetailsScreen();
  await fill('City', 'Newcastle');
  await pressSave();

  await screen.findByText('Saved');
  expect(edits).toEqual([{ address: { ...billingDetails.address, city: 'Newcastle' } }]);
});

it('shows dates in the time zone of the address after it was saved', async () => {
  serveEdits();
  await openDetailsScreen();
  serveUser({}, { org: { timeZone: 'Australia/Perth' } });
  await userEvent.selectOptions(field('State/Province'), 'Western Australia');
  await pressSave();

  await screen.findByText('Saved');
  expect(dateText('2026-12-31T15:30:00Z')).toBe('December 31, 2026');
  expect(dateText('2026-12-31T16:30:00Z')).toBe('January 1, 2027');
});

it('removes the tax id when its field is empty', async () => {
  const edits = serveEdits();
  await openDetailsScreen({ taxId: { type: 'au_abn', value: '51824753556' } });
  await fill(/^ABN/, '');
  await pressSave();

  await screen.findByText('Saved');
  expect(edits).toEqual([{ taxId: null }]);
});

it('shows messages at invalid fields, focuses the first one and sends no request', async () => {
  const edits = serveEdits();
  await openDetailsScreen();
  await fill('Legal name', '');
  await fill(/^ABN/, '51 824 753 557');
  await pressSave();

  expect(await screen.findByText('Legal name is required')).toBeVisible();
  expect(screen.getByText('This is not a valid ABN')).toBeVisible();
  expect(field('Legal name')).toHaveFocus();
  expect(edits).toEqual([]);
});

it("shows the server's message about the tax id at its field and focuses the field", async () => {
  await openDetailsScreen();
  serveFailure('ERRVALIDATION', 'Please check what you entered.', 400, {
    taxId: 'This number is not registered',
  });
  await fill(/^ABN/, '51 824 753 556');
  await pressSave();

  expect(await screen.findByText('This number is not registered')).toBeVisible();
  expect(field(/^ABN/)).toHaveFocus();
});

it("shows the server's message and keeps the text in the fields when saving fails", async () => {
  await openDetailsScreen();
  serveFailure('ERRPROVIDER', 'The payment provider does not answer.', 503);
  await fill('Legal name', 'Byron Clinic Pty Ltd');
  await pressSave();

  expect(await screen.findByText('The payment provider does not answer.')).toBeVisible();
  expect(field('Legal name')).toHaveValue('Byron Clinic Pty Ltd');
});

describe('the tax id', () => {
  const selectCountry = (code: string) => userEvent.selectOptions(field('Country'), code);

  it('has the type of the selected country, and no field in a country without a tax id', async () => {
    await openDetailsScreen();
    await fill(/^ABN/, '51824753556');
    await selectCountry('NZ');
    expect(field(/^GST number/)).toHaveValue('');
    await selectCountry('US');
    expect(screen.getByText(/no tax id for this country/)).toBeVisible();
  });

  it('has a choice of types in the United Kingdom, and is sent with the chosen type', async () => {
    const edits = serveEdits();
    await openDetailsScreen();
    await selectCountry('GB');
    await fill('State/Province', 'Antrim');
    await userEvent.selectOptions(field('Type of tax id'), 'EU VAT number');
    await fill(/^EU VAT number/, 'xi 123456789');
    await pressSave();

    await screen.findByText('Saved');
    expect(edits).toEqual([
      {
        address: { ...billingDetails.address, country: 'GB', state: 'Antrim' },
        taxId: { type: 'eu_vat', value: 'XI123456789' },
      },
    ]);
  });
});

it('loads the details again when Try again is pressed after a failure', async () => {
  serveConfig();
  serveUser();
  server.use(http.get('/vc-admin/org/billing/details', () => HttpResponse.error()));
  renderScreen(DetailsScreen, '/vc-admin/diy/details');
  await screen.findByText('Your billing details could not be loaded.');
  server.use(http.get('/vc-admin/org/billing/details', () => HttpResponse.json(billingDetails)));

  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByLabelText('Legal name')).toHaveValue('Byron Clinic');
});

describe('a new billing email', () => {
  const unconfirmedEmail = 'accounts@clinic.example';
  const noticePattern = /link in our email to accounts@clinic\.example\. Until then/;

  it('is shown as unconfirmed after it was saved, and is not sent again', async () => {
    server.use(
      http.post('/vc-admin/org/billing/edit', () =>
        HttpResponse.json({ ...billingDetails, unconfirmedEmail }),
      ),
    );
    await openDetailsScreen();
    expect(screen.queryByText('This address is not confirmed yet')).not.toBeInTheDocument();
    await fill(/^Billing email/, unconfirmedEmail);
    await pressSave();

    expect(await screen.findByText('This address is not confirmed yet')).toBeVisible();
    expect(screen.getByText(noticePattern)).toHaveTextContent('Until then it gets no copy.');
    expect(screen.getByText(/gets emails about billing once it is confirmed/)).toBeVisible();
    expect(field(/^Billing email/)).toHaveValue(unconfirmedEmail);
    await pressSave();
    expect(await screen.findByText('Nothing has changed.')).toBeVisible();
  });

  it('gets a new link when the customer requests one', async () => {
    const requests = servePost('/vc-admin/org/billing/email/resend', () =>
      HttpResponse.json({}, { status: 202 }),
    );
    await openDetailsScreen({ billingEmail: 'old@clinic.example', unconfirmedEmail });
    expect(field(/^Billing email/)).toHaveValue(unconfirmedEmail);
    expect(screen.getByText(noticePattern)).toHaveTextContent('old@clinic.example gets the copy.');
    await userEvent.click(screen.getByRole('button', { name: 'Send the link again' }));

    expect(
      await screen.findByText(`A new link is on its way to ${unconfirmedEmail}.`),
    ).toBeVisible();
    expect(requests).toHaveLength(1);
  });

  it("shows the server's message when no new link can be sent", async () => {
    const message = 'Too many attempts. Please try again in 20 minutes.';
    servePost('/vc-admin/org/billing/email/resend', () => errorResponse('ERRRATE', message, 429));
    await openDetailsScreen({ unconfirmedEmail });
    await userEvent.click(screen.getByRole('button', { name: 'Send the link again' }));
    expect(await screen.findByText(message)).toBeVisible();
  });

  it('can be replaced with the confirmed address', async () => {
    const edits = serveEdits();
    await openDetailsScreen({ billingEmail: 'old@clinic.example', unconfirmedEmail });
    await fill(/^Billing email/, 'old@clinic.example');
    await pressSave();
    await screen.findByText('Saved');
    expect(edits).toEqual([{ billingEmail: 'old@clinic.example' }]);
  });
});
