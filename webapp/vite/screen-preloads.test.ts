import { preloadsOf } from './screen-preloads';

const names = [
  'RegisteredScreen',
  'PaymentScreen',
  'ConfirmScreen',
  'CardsScreen',
  'ContactScreen',
  'DashboardScreen',
];
const chunk = (name: string, imports: string[] = []) => ({ type: 'chunk' as const, name, imports });
const others = Object.fromEntries(names.map((name) => [`assets/${name}.js`, chunk(name)]));

test('a screen needs its script and what that imports, once each, but not what every screen has', () => {
  const bundle = {
    ...others,
    'assets/index.js': chunk('index'),
    'assets/form.js': chunk('form', ['assets/index.js']),
    'assets/RegistrationScreen.js': chunk('RegistrationScreen', [
      'assets/form.js',
      'assets/index.js',
    ]),
    'assets/style.css': { type: 'asset' as const },
  };

  const preloads = preloadsOf(bundle, 'assets/index.js');

  expect(preloads['/vc-admin/diy/regform']).toEqual([
    'assets/RegistrationScreen.js',
    'assets/form.js',
  ]);
  expect(preloads['/vc-admin/dash']).toEqual(['assets/DashboardScreen.js']);
});

test('a screen without a script stops the build', () => {
  expect(() => preloadsOf(others, 'assets/index.js')).toThrow('RegistrationScreen');
});
