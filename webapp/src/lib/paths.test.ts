import { paths, urlOf, withDebug } from './paths';

const price = { product: 'professional', currency: 'AUD', interval: 'yearly' };

describe('paths', () => {
  it('returns the URLs of the specification', () => {
    expect(paths.regform(price)).toBe(
      '/vc-admin/diy/regform?product=professional&currency=AUD&interval=yearly',
    );
    expect(paths.payment({ ...price, customer: 'cus_1' })).toBe(
      '/vc-admin/diy/payment?customer=cus_1&product=professional&currency=AUD&interval=yearly',
    );
    expect(paths.contact({ product: 'enterprise', interval: 'monthly' })).toBe(
      '/vc-admin/diy/contact?product=enterprise&interval=monthly',
    );
    expect(paths.contact({})).toBe('/vc-admin/diy/contact');
  });

  it('escapes the parameters', () => {
    expect(paths.contact({ product: 'a&b=c' })).toBe('/vc-admin/diy/contact?product=a%26b%3Dc');
  });
});

describe('withDebug', () => {
  it('adds the debug parameter after all others', () => {
    expect(withDebug('/vc-admin/diy/plans')).toBe('/vc-admin/diy/plans?debug=true');
    expect(withDebug(paths.regform(price))).toMatch(/&interval=yearly&debug=true$/);
    expect(withDebug(paths.contact({ product: 'a&b=c' }))).toMatch(/product=a%26b%3Dc&debug=true$/);
  });

  it('replaces an existing debug parameter', () => {
    expect(withDebug('/vc-admin/diy/plans?debug=1')).toBe('/vc-admin/diy/plans?debug=true');
  });

  it('adds the parameter in browsers without URLSearchParams.size', () => {
    vi.spyOn(URLSearchParams.prototype, 'size', 'get').mockReturnValue(undefined as never);
    expect(withDebug('/vc-admin/diy/plans')).toBe('/vc-admin/diy/plans?debug=true');
  });
});

it('urlOf returns the URL of a target', () => {
  expect(
    urlOf({
      screen: 'regform',
      query: [
        ['product', 'a'],
        ['debug', 'true'],
      ],
    }),
  ).toBe('/vc-admin/diy/regform?product=a&debug=true');
  expect(urlOf({ screen: 'confirm', query: [] })).toBe('/vc-admin/diy/confirm');
});
