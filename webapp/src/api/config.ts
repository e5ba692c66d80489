import { get } from './client';
import {
  currencyCode,
  type Decoder,
  digits,
  flag,
  list,
  nullable,
  number,
  object,
  oneOf,
  optional,
  record,
  text,
} from './decode';
import { interval } from './parts';
import type { Branding, Capability, Catalogue, Config, Currency, Link, Plan } from './types';

/** Returns the public configuration. */
export const getConfig = () => get('/vc-admin/diy/config.json', config);

const amountsByInterval = { monthly: nullable(number), yearly: nullable(number) };

const planCapability: Decoder<boolean | string> = (value, path) =>
  typeof value === 'boolean' ? value : text(value, path);

const catalogue = object<Catalogue>({
  plans: list(
    object<Plan>({
      id: text,
      name: text,
      displayName: text,
      description: text,
      disabled: flag,
      mostChosen: optional(flag),
      trialPeriodDays: number,
      capabilities: record(planCapability),
    }),
  ),
  rows: list(
    object({
      name: text,
      label: text,
      include: flag,
      condition: optional(flag),
      secondary: optional(text),
    }),
  ),
  prices: record(
    record(
      object({
        ...amountsByInterval,
        perMonth: object(amountsByInterval),
        annual: object(amountsByInterval),
        yearlySaving: number,
      }),
    ),
  ),
  taxes: optional(record(object({ name: text, percentage: number }))),
});

const links = list(object<Link>({ label: text, url: text }));

const branding = object<Branding>({
  name: text,
  company: text,
  headerLinks: links,
  footerColumns: list(object({ title: text, links })),
  addressLines: list(text),
  socialLinks: links,
  badges: list(text),
  copyrightYear: number,
});

/** Decodes the configuration, which comes from a server or from the build of the web app. */
export const config = object<Config>({
  catalogue,
  currencies: list(
    object<Currency>({
      code: currencyCode,
      name: text,
      name_plural: text,
      symbol: text,
      symbol_native: text,
      decimal_digits: digits,
      minor_digits: digits,
      rounding: number,
    }),
  ),
  defaults: object({ currency: currencyCode, interval, country: text }),
  provider: object({
    kind: text,
    publishableKey: optional(text),
    entry: optional(oneOf('card_field', 'redirect', 'invoice')),
    capabilities: optional(list(text as Decoder<Capability>)),
  }),
  contact: object({ email: text, phone: text }),
  branding,
  live: optional(flag, false),
  loginQuery: optional(record(text), {}),
});
