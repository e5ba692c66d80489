import { screen, within } from '@testing-library/react';
import { aConfig } from '@/testing/fixtures';
import { serveConfig, serveVisitor } from '@/testing/handlers';
import { usePhoneViewport } from '@/testing/viewport';
import { findPlanCard, openPlansScreen } from './testing';

const includedText = 'Included';
const notIncludedText = 'Not included';
const includedInAll = [includedText, includedText, includedText, includedText];

/** The texts of the cells in each row. */
const expectedRows = [
  ['Max number of callers in call', '2', '4', '8', '20'],
  ['User licenses', '1', '1', '5/10/15', 'unlimited'],
  ['Virtual waiting room', ...includedInAll],
  ['Patient admit function', ...includedInAll],
  ['MultiVu video function', ...includedInAll],
  ['Telestrations function', ...includedInAll],
  ['SnapShot function', ...includedInAll],
  ['Screen share', ...includedInAll],
  ['Email invitations', ...includedInAll],
  ['Data encryptionConditions and data limits apply', ...includedInAll],
  ['TrueSteth function', notIncludedText, includedText, includedText, includedText],
  ['RoomVu Lite', notIncludedText, includedText, includedText, includedText],
  ['ExamVu function', notIncludedText, notIncludedText, includedText, includedText],
  ['Custom branding', notIncludedText, notIncludedText, includedText, includedText],
  ['Custom meeting rooms', notIncludedText, notIncludedText, includedText, includedText],
  ['PMS calendar integration', notIncludedText, notIncludedText, notIncludedText, includedText],
  ['RoomVu Professional', notIncludedText, notIncludedText, notIncludedText, includedText],
  ['Max duration of calls', '60 minutes', 'untimed', 'untimed', 'untimed'],
];

const textOf = (element: HTMLElement) => element.textContent;

beforeEach(() => {
  serveConfig();
  serveVisitor();
});

describe('the comparison', () => {
  it('shows the eighteen features in order, and the price and the button of each plan', async () => {
    openPlansScreen('');
    const table = await screen.findByRole('table', { name: 'What each plan includes' });
    const [head, ...rows] = within(table).getAllByRole('row');

    expect(
      within(head as HTMLElement)
        .getAllByRole('columnheader')
        .map(textOf),
    ).toEqual([
      'Feature',
      'Standard$35 per monthStart your free trial',
      'Professional$68 per monthStart your free trial',
      'Multi-UserContact us',
      'EnterpriseContact us',
    ]);
    expect(rows.map((row) => [...row.children].map((cell) => cell.textContent))).toEqual(
      expectedRows,
    );
  });

  it('omits features that the catalogue does not include', async () => {
    const { catalogue } = aConfig();
    const rows = catalogue.rows.map((row) => ({ ...row, include: row.name !== 'pms' }));
    serveConfig({ catalogue: { ...catalogue, rows } });
    openPlansScreen('');
    await screen.findByRole('table');

    expect(screen.queryByText('PMS calendar integration')).not.toBeInTheDocument();
    expect(screen.getAllByRole('row')).toHaveLength(18);
  });
});

describe('the comparison on a phone', () => {
  beforeEach(usePhoneViewport);

  it('shows the same rows in a closed details element with the number of features', async () => {
    openPlansScreen('');
    await findPlanCard('Professional');
    const summary = screen.getByText('All 18 features').closest('summary');
    const details = summary?.closest('details') as HTMLDetailsElement;

    expect(details).not.toHaveAttribute('open');
    const [, ...rows] = within(details).getAllByRole('row', { hidden: true });
    expect(rows.map((row) => [...row.children].map((cell) => cell.textContent))).toEqual(
      expectedRows,
    );
  });

  it('has explicit roles, because its layout removes the implicit roles of the elements', async () => {
    openPlansScreen('');
    await findPlanCard('Professional');
    const table = document.querySelector('table') as HTMLTableElement;

    const roles = [table, ...table.querySelectorAll('thead, tbody, tr, th, td')].map((element) =>
      element.getAttribute('role'),
    );
    expect(new Set(roles)).toEqual(
      new Set(['table', 'rowgroup', 'row', 'columnheader', 'rowheader', 'cell']),
    );
  });
});
