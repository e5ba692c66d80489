import { addressOf, paths } from './paths';

const price = { product: 'professional', currency: 'AUD', interval: 'yearly' };

describe('paths', () => {
  it('build the addresses of the specification', () => {
    expect(paths.regform(price)).toBe(
      '/vc-admin/diy/regform?product=professional&currency=AUD&interval=yearly',
    );
    expect(paths.payment({ ...price, customer: 'cus_1' })).toBe(
      '/vc-admin/diy/payment?customer=cus_1&product=professional&currency=AUD&interval=yearly',
    );
    expect(paths.contact({ product: 'enterprise', interval: 'monthly' })).toBe(
      '/vc-admin/diy/contact?product=enterprise&interval=monthly',
    );
    expect(paths.contact()).toBe('/vc-admin/diy/contact');
    expect(paths.dash()).toBe('/vc-admin/dash');
  });

  it('carry the debug parameter only when it is on', () => {
    expect(paths.plans({ debug: true })).toBe('/vc-admin/diy/plans?debug=true');
    expect(paths.plans({ debug: false })).toBe('/vc-admin/diy/plans');
    expect(paths.confirm({ debug: true })).toBe('/vc-admin/diy/confirm?debug=true');
    expect(paths.regform(price, { debug: true })).toMatch(/&interval=yearly&debug=true$/);
  });

  it('are returned for a target of the rules', () => {
    expect(
      addressOf({
        screen: 'regform',
        query: [
          ['product', 'a'],
          ['debug', 'true'],
        ],
      }),
    ).toBe('/vc-admin/diy/regform?product=a&debug=true');
    expect(addressOf({ screen: 'confirm', query: [] })).toBe('/vc-admin/diy/confirm');
  });

  it('have their query in browsers without URLSearchParams.size', () => {
    vi.spyOn(URLSearchParams.prototype, 'size', 'get').mockReturnValue(undefined as never);
    expect(paths.plans({ debug: true })).toBe('/vc-admin/diy/plans?debug=true');
  });

  it('escape their parameters', () => {
    expect(paths.contact({ product: 'a&b=c' })).toBe('/vc-admin/diy/contact?product=a%26b%3Dc');
  });
});
