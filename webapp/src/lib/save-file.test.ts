import { throwSecurityError } from '@/testing/security-error';
import { saveFile } from './save-file';

it('a file is saved from a data URL when the browser creates no object URLs', async () => {
  vi.spyOn(URL, 'createObjectURL').mockImplementation(throwSecurityError);
  const urls: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    urls.push(this.href);
  });

  await saveFile(new Blob(['a,b'], { type: 'text/csv' }), 'invoices.csv');

  expect(urls).toEqual(['data:text/csv;base64,YSxi']);
});
