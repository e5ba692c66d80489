import { renderHook } from '@testing-library/react';
import { closeDialog, openDialog } from './dialog';
import { guardHistory } from './guard-history';
import { saveFile } from './save-file';
import { openTabChannel } from './tab-channel';
import { useMedia } from './use-media';

const fail = () => {
  throw new DOMException('The operation is insecure.', 'SecurityError');
};
const FailingConstructor = class {
  constructor() {
    fail();
  }
};

it.each([
  ['is missing', undefined],
  ['throws', FailingConstructor],
])('a tab channel does nothing when BroadcastChannel %s', (_, Constructor) => {
  vi.stubGlobal('BroadcastChannel', Constructor);

  const channel = openTabChannel('name', expect.unreachable);

  channel.send('message');
  channel.close();
});

it.each([
  ['is missing', undefined],
  ['throws', fail],
  ['returns a list without addEventListener', () => ({ matches: false, addListener: () => {} })],
])('useMedia returns false when matchMedia %s', (_, matchMedia) => {
  vi.stubGlobal('matchMedia', matchMedia);

  const { result, unmount } = renderHook(() => useMedia('(min-width: 1rem)'));

  expect(result.current).toBe(false);
  unmount();
});

it('a dialog opens and closes with its value when modal dialogs are missing', () => {
  const dialog = document.createElement('dialog');
  Object.assign(dialog, { showModal: undefined, close: undefined });
  const onClose = vi.fn();
  dialog.addEventListener('close', onClose);

  openDialog(dialog);
  expect(dialog).toHaveAttribute('open');
  closeDialog(dialog, 'delete');

  expect(dialog).not.toHaveAttribute('open');
  expect(dialog.returnValue).toBe('delete');
  expect(onClose).toHaveBeenCalledOnce();
});

it('a file is saved from a data URL when the browser creates no object URLs', async () => {
  vi.spyOn(URL, 'createObjectURL').mockImplementation(fail);
  const urls: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    urls.push(this.href);
  });

  await saveFile(new Blob(['a,b'], { type: 'text/csv' }), 'invoices.csv');

  expect(urls).toEqual(['data:text/csv;base64,YSxi']);
});

it('a refused replaceState loads the URL', () => {
  const original = history.replaceState;
  const replace = vi.spyOn(location, 'replace').mockImplementation(() => {});
  history.replaceState = fail;

  guardHistory();
  history.replaceState(null, '');
  history.replaceState(null, '', '/vc-admin/diy/plans');
  history.replaceState = original;

  expect(replace.mock.calls).toEqual([['/vc-admin/diy/plans']]);
});
