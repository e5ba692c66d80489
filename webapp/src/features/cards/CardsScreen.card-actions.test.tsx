import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { aCard } from '@/testing/card-provider';
import { deferred } from '@/testing/deferred';
import { serveVisitor } from '@/testing/handlers';
import { renderScreen } from '@/testing/render-screen';
import { server } from '@/testing/server';
import CardsScreen from './CardsScreen';
import {
  aCustomerWithCard,
  cardRows,
  findRow,
  selectOption,
  serveCall,
  serveCards,
  serveList,
} from './testing';

const visa = aCard('4242');
const mastercard = aCard('4444', { brand: 'mastercard' });
const conflictError = { name: 'ERRCONFLICT', message: 'Make another card the default first.' };

let consoleError: ReturnType<typeof vi.spyOn>;

beforeEach(() => {
  consoleError = vi.spyOn(console, 'error').mockImplementation(() => {});
  serveCards([mastercard, visa], visa.id);
  renderScreen(CardsScreen, '/vc-admin/diy/cards');
});

const listHeading = () => screen.getByRole('heading', { name: 'Saved Card(s)' });
const findDialog = () => screen.findByRole('dialog', { name: 'Delete this card?' });

describe("'Set as default'", () => {
  it('updates the badge and the menus from the response', async () => {
    const bodies = serveCall('edit', aCustomerWithCard(mastercard));

    await selectOption('4444', 'Set as default');

    const row = await findRow('4444');
    expect(await row.findByText('Default')).toBeVisible();
    expect(row.queryByRole('button')).not.toBeInTheDocument();
    expect((await findRow('4242')).getByRole('button')).toBeVisible();
    expect(bodies).toEqual([{ invoice_settings: { default_payment_method: 'pm_4444' } }]);
    expect(screen.getByRole('status')).toHaveTextContent(
      'Mastercard •••• 4444 is your default card now.',
    );
    expect(listHeading()).toHaveFocus();
  });

  it('logs a failure, shows no message and stops the spinner', async () => {
    serveCall('edit', conflictError, 409);

    await selectOption('4444', 'Set as default');

    await waitFor(() => expect(consoleError).toHaveBeenCalled());
    const button = (await findRow('4444')).getByRole('button');
    await waitFor(() => expect(button).not.toHaveAttribute('aria-busy'));
    expect(screen.queryByText(conflictError.message)).not.toBeInTheDocument();
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
    expect(screen.getByRole('status')).toBeEmptyDOMElement();
    expect((await findRow('4242')).getByText('Default')).toBeVisible();
    expect(button).toHaveFocus();
  });

  it('asks the user to sign in again when the session ended in another tab', async () => {
    serveCall('edit', { name: 'ERRUNAUTHENTICATED', message: 'Please sign in first.' }, 401);
    await findRow('4444');
    serveVisitor();

    await selectOption('4444', 'Set as default');

    expect(await screen.findByRole('heading', { name: 'Your session has ended' })).toBeVisible();
    await waitFor(() => expect(screen.getByText('•••• 4444')).not.toBeVisible());
  });
});

describe('while a card is being changed', () => {
  it('shows a spinner on the card and disables the menus of other cards', async () => {
    serveList([aCard('1111'), mastercard, visa]);
    const { promise: response, resolve: respond } = deferred<Response>();
    server.use(http.post('/vc-admin/org/customer/edit', () => response));

    await selectOption('4444', 'Set as default');
    const button = (await findRow('4444')).getByRole('button');
    expect(button).toHaveAttribute('aria-busy', 'true');
    const otherButton = (await findRow('1111')).getByRole('button');
    expect(otherButton).toHaveAttribute('aria-disabled', 'true');
    await userEvent.click(otherButton);
    expect(screen.queryByRole('menu')).not.toBeInTheDocument();

    respond(HttpResponse.json(aCustomerWithCard(mastercard)));
    await waitFor(() => expect(button).not.toBeInTheDocument());
  });
});

describe("'Delete'", () => {
  it('deletes the card after a confirmation, reloads the list and shows a message', async () => {
    const bodies = serveCall('cards/del', {});

    await selectOption('4444', 'Delete');
    expect(await findDialog()).toHaveAccessibleDescription(/Mastercard\s••••\s4444/);
    serveList([visa]);
    await userEvent.click(within(await findDialog()).getByRole('button', { name: 'Delete' }));

    await waitFor(() => expect(cardRows()).toHaveLength(1));
    expect(bodies).toEqual([{ paymentMethodId: 'pm_4444' }]);
    expect(screen.getByRole('status')).toHaveTextContent('Mastercard •••• 4444 was deleted.');
    expect(listHeading()).toHaveFocus();
  });

  it('keeps the card when the dialog is cancelled', async () => {
    await selectOption('4444', 'Delete');
    const dialog = await findDialog();
    await userEvent.click(within(dialog).getByRole('button', { name: 'Cancel' }));

    await waitFor(() => expect(dialog).not.toBeInTheDocument());
    expect(cardRows()).toHaveLength(2);
  });

  it('logs a failure, shows no message and stops the spinner', async () => {
    serveCall('cards/del', conflictError, 409);

    await selectOption('4444', 'Delete');
    await userEvent.click(within(await findDialog()).getByRole('button', { name: 'Delete' }));

    await waitFor(() => expect(consoleError).toHaveBeenCalled());
    const button = (await findRow('4444')).getByRole('button');
    await waitFor(() => expect(button).not.toHaveAttribute('aria-busy'));
    expect(screen.queryByText(conflictError.message)).not.toBeInTheDocument();
    expect(cardRows()).toHaveLength(2);
  });
});
