import { render, screen } from '@testing-library/react';
import { CurrencyFlag } from './CurrencyFlag';

const flag = () => screen.getByRole<HTMLImageElement>('img');
const dimensions = () => [flag().width, flag().height];

describe('CurrencyFlag', () => {
  it.each(['aud', 'AUD'])('shows the picture of %s', (code) => {
    render(<CurrencyFlag code={code} alt="Australian dollar" />);

    expect(flag().getAttribute('src')).toMatch(/\/assets\/flags-[0-9a-f]{8}\/aud\.png$/);
  });

  it.each(['xxx', '', 'fallback', '../evil'])('shows the fallback for "%s"', (code) => {
    render(<CurrencyFlag code={code} alt="?" />);

    expect(flag().getAttribute('src')).toMatch(/\/fallback\.png$/);
  });

  it.each([
    ['sm', 16, 10],
    ['md', 24, 16],
    ['lg', 36, 24],
    ['xl', 48, 32],
  ] as const)('in the size %s is %i by %i pixels', (name, ...pixels) => {
    render(<CurrencyFlag code="eur" size={name} alt="Euro" />);

    expect(dimensions()).toEqual(pixels);
  });

  it.each([
    [{}, 24, 16],
    [{ width: 64 }, 64, 40],
    [{ height: 20 }, 32, 20],
    [{ height: 15, size: 'xl' as const }, 24, 15],
    [{ width: 30, height: 30 }, 30, 30],
  ])('with the props %o is %i by %i pixels', (props, ...pixels) => {
    render(<CurrencyFlag code="eur" alt="Euro" {...props} />);

    expect(dimensions()).toEqual(pixels);
  });

  it('is hidden from screen readers without a text alternative', () => {
    render(<CurrencyFlag code="eur" />);

    expect(screen.queryByRole('img')).not.toBeInTheDocument();
  });
});
