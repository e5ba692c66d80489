import { throwSecurityError } from '@/testing/security-error';
import { guardHistory } from './guard-history';

it('a refused replaceState loads the URL', () => {
  const original = history.replaceState;
  const replace = vi.spyOn(location, 'replace').mockImplementation(() => {});
  history.replaceState = throwSecurityError;

  guardHistory();
  history.replaceState(null, '');
  history.replaceState(null, '', '/vc-admin/diy/plans');
  history.replaceState = original;

  expect(replace.mock.calls).toEqual([['/vc-admin/diy/plans']]);
});
