import { obstacleDate } from './obstacle-text';

describe('obstacleDate', () => {
  const hold = { kind: 'hold', reason: '', at: '2026-11-21T00:00:00Z' } as const;

  it('writes the date of a dispute in the time zone of its invoice', () => {
    const text = obstacleDate({ ...hold, timeZone: 'Pacific/Honolulu' }, 'Australia/Sydney');
    expect(text).toMatch(/on November\s20,\s2026\.$/);
  });

  it('uses the time zone of the organisation if the server reports no zone', () => {
    const text = obstacleDate(hold, 'Australia/Sydney');
    expect(text).toMatch(/on November\s21,\s2026\.$/);
  });
});
