import { screenScripts } from './screen-scripts';

const screenNames = [
  'SecondaryRoutes',
  'RegisteredScreen',
  'PaymentScreen',
  'ConfirmScreen',
  'CardsScreen',
  'PayScreen',
  'ContactDetails',
  'EndScreen',
  'InvoicesScreen',
  'DetailsScreen',
  'UserAccountScreen',
  'MembersScreen',
  'InvitationScreen',
  'SignInScreen',
  'ConfirmRegistrationScreen',
  'ForgotScreen',
  'ResetScreen',
  'ConfirmBillingEmailScreen',
  'ConfirmEmailScreen',
  'UndoScreen',
  'EmailPreferencesScreen',
];
const chunk = (name: string, imports: string[] = []) => ({
  type: 'chunk' as const,
  name,
  imports,
  isEntry: name === 'index',
});
const otherChunks = {
  'assets/index.js': chunk('index'),
  ...Object.fromEntries(screenNames.map((name) => [`assets/${name}.js`, chunk(name)])),
};
const registrationChunks = {
  'assets/form.js': chunk('form', ['assets/index.js']),
  'assets/Registration.js': chunk('Registration', ['assets/form.js', 'assets/index.js']),
};

test('screenScripts lists the scripts of a screen and their imports once, without the entry script', () => {
  const bundle = {
    ...otherChunks,
    ...registrationChunks,
    'assets/AU.js': chunk('AU', ['assets/form.js']),
    'assets/style.css': { type: 'asset' as const },
  };

  const scripts = screenScripts(bundle);

  expect(scripts['/vc-admin/diy/regform']).toEqual([
    'assets/Registration.js',
    'assets/form.js',
    'assets/AU.js',
  ]);
  expect(scripts['/vc-admin/dash']).toEqual(['assets/SignInScreen.js']);
  expect(scripts['/vc-admin/diy/pay']).toEqual([
    'assets/SecondaryRoutes.js',
    'assets/PayScreen.js',
  ]);
});

test.each([
  ['Registration', otherChunks],
  ['AU', { ...otherChunks, ...registrationChunks }],
])('the build fails when the script %s of a screen is missing', (missing, bundle) => {
  expect(() => screenScripts(bundle)).toThrow(missing);
});
