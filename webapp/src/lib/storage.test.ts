import { readItem, readJson, removeItem, writeItem } from './storage';

const deny = () => {
  throw new DOMException('The operation is insecure.', 'SecurityError');
};

describe('storage', () => {
  it.each([
    ['denies access', () => vi.spyOn(globalThis, 'sessionStorage', 'get').mockImplementation(deny)],
    [
      'has none',
      () => vi.spyOn(globalThis, 'sessionStorage', 'get').mockReturnValue(null as never),
    ],
    ['has no space left', () => vi.spyOn(Storage.prototype, 'setItem').mockImplementation(deny)],
  ])('keeps an item until the page is left when the browser %s', (name, breakStorage) => {
    breakStorage();

    writeItem('sessionStorage', name, 'kept');
    const item = readItem('sessionStorage', name);
    removeItem('sessionStorage', name);

    expect(item).toBe('kept');
    expect(readItem('sessionStorage', name)).toBeNull();
  });

  it('returns null for malformed JSON', () => {
    writeItem('localStorage', 'key', '{');
    expect(readJson('localStorage', 'key')).toBeNull();
  });
});
