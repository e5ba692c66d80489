import assert from 'node:assert/strict';
import { test } from 'node:test';
import { report } from './report.mjs';

const noTrace = { requestedUrl: 'http://localhost/', runtimeError: { message: 'No trace.' } };
const good = { requestedUrl: 'http://localhost/' };

/** A Lighthouse that finds these, one after the other; after the last it fails. */
function finding(...reports) {
  const left = [...reports];
  return { left, look: async () => ({ lhr: left.shift() }) };
}

test('a good report is asked for once', async () => {
  const { look, left } = finding(good, good);
  assert.equal(await report(look), good);
  assert.deepEqual(left, [good]);
});

test('a report without a trace is asked for again, twice at most', async () => {
  assert.equal(await report(finding(noTrace, noTrace, good).look), good);

  const { look, left } = finding(noTrace, noTrace, noTrace, good);
  await assert.rejects(report(look), { message: 'http://localhost/: No trace.' });
  assert.deepEqual(left, [good]);
});
