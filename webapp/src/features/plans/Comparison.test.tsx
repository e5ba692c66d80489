import { screen, within } from '@testing-library/react';
import { aConfig } from '@/testing/fixtures';
import { serveConfig, serveVisitor } from '@/testing/handlers';
import { usePhoneViewport } from '@/testing/viewport';
import { findPlanCard, openPlans } from './testing';

const included = 'Included';
const missing = 'Not included';
const inAll = [included, included, included, included];

/** The texts of the rows. */
const expectedRows = [
  ['Max number of callers in call', '2', '4', '8', '20'],
  ['User licenses', '1', '1', '5/10/15', 'unlimited'],
  ['Virtual waiting room', ...inAll],
  ['Patient admit function', ...inAll],
  ['MultiVu video function', ...inAll],
  ['Telestrations function', ...inAll],
  ['SnapShot function', ...inAll],
  ['Screen share', ...inAll],
  ['Email invitations', ...inAll],
  ['Data encryptionConditions and data limits apply', ...inAll],
  ['TrueSteth function', missing, included, included, included],
  ['RoomVu Lite', missing, included, included, included],
  ['ExamVu function', missing, missing, included, included],
  ['Custom branding', missing, missing, included, included],
  ['Custom meeting rooms', missing, missing, included, included],
  ['PMS calendar integration', missing, missing, missing, included],
  ['RoomVu Professional', missing, missing, missing, included],
  ['Max duration of calls', '60 minutes', 'untimed', 'untimed', 'untimed'],
];

const textOf = (element: HTMLElement) => element.textContent;

beforeEach(() => {
  serveConfig();
  serveVisitor();
});

describe('the comparison', () => {
  it('has the eighteen rows, in order, under the four plans', async () => {
    openPlans('');
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
      'Multi-UserPrice on applicationContact us',
      'EnterprisePrice on applicationContact us',
    ]);
    expect(rows.map((row) => [...row.children].map((cell) => cell.textContent))).toEqual(
      expectedRows,
    );
  });

  it('omits features that the catalogue does not include', async () => {
    const { catalogue } = aConfig();
    const rows = catalogue.rows.map((row) => ({ ...row, include: row.name !== 'pms' }));
    serveConfig({ catalogue: { ...catalogue, rows } });
    openPlans('');
    await screen.findByRole('table');

    expect(screen.queryByText('PMS calendar integration')).not.toBeInTheDocument();
    expect(screen.getAllByRole('row')).toHaveLength(18);
  });
});

describe('the comparison on a phone', () => {
  beforeEach(usePhoneViewport);

  it('has the same rows, collapsed under the number of features', async () => {
    openPlans('');
    await findPlanCard('Professional');
    const summary = screen.getByText('All 18 features').closest('summary');
    const details = summary?.closest('details') as HTMLDetailsElement;

    expect(details).not.toHaveAttribute('open');
    const [, ...rows] = within(details).getAllByRole('row', { hidden: true });
    expect(rows.map((row) => [...row.children].map((cell) => cell.textContent))).toEqual(
      expectedRows,
    );
  });

  it('has explicit roles, because its layout removes those of the elements', async () => {
    openPlans('');
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
