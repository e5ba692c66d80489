import { get } from './client';
import {
  type Decoder,
  flag,
  id,
  list,
  nullable,
  number,
  object,
  oneOf,
  optional,
  orEmpty,
  record,
  seconds,
  text,
  time,
} from './decode';
import {
  hold,
  interval,
  invoiced,
  nextAction,
  openPayment,
  order,
  pause,
  processingPayment,
  scheduledChange,
} from './parts';
import type { Interval, License, UserDetail } from './types';

/** Returns the signed-in user; null for a visitor. */
export const getUserDetail = async () => (await get('/vc-admin/user/detail', response)).detail;

const word = optional(text, '');

type Raw = License['raw'];

/** The fields of a provider's subscription that the specification names. */
const raw = (name: Decoder<string>) =>
  object<Raw>({
    status: name as Decoder<Raw['status']>,
    currency: word,
    current_period_end: optional(seconds, null),
    trial_end: optional(seconds, null),
    metadata: orEmpty(object({ name, interval: word as Decoder<Interval> })),
  });

const price = object<NonNullable<License['price']>>({
  amount: number,
  perMonth: number,
  annual: number,
});

/** A license whose plan and status are read with `name`. */
const license = (name: Decoder<string>): Decoder<License> => {
  const licenseFields = object<License>({
    id: optional(id, ''),
    interval: word as Decoder<Interval>,
    currency: word,
    isDev: optional(flag, false),
    price: optional(price, null),
    raw: orEmpty(raw(name)),
    pending_change: optional(object({ replaces: optional(scheduledChange, null) }), null),
    scheduled_change: optional(scheduledChange, null),
    ends_at: optional(time, null),
    plan_ends_at: optional(time, null),
    ended_at: optional(time),
    end_cause: optional(oneOf('requested', 'unpaid', 'never_started')),
    hold: optional(hold, null),
    pause: optional(pause),
    next_charge_at: (value, path) => (value === null ? null : optional(time)(value, path)),
    invoiced: optional(invoiced, null),
  });
  return (value, path) => {
    const found = licenseFields(value, path);
    const { currency, metadata } = found.raw;
    return {
      ...found,
      interval: found.interval || metadata.interval,
      currency: found.currency || currency,
    };
  };
};

const current = license(id);

/** The current license. Without plan, status and interval its plan could not be changed. */
const currentLicense: Decoder<License> = (value, path) => {
  const found = current(value, path);
  return { ...found, interval: interval(found.interval, `${path}.interval`) };
};

const userFields = object<UserDetail>({
  now: optional(seconds),
  id: optional(id, ''),
  orgId: id,
  firstName: word,
  lastName: word,
  email: word,
  license: nullable(currentLicense),
  pastLicense: nullable(license(word)),
  openPayment: optional(openPayment, null),
  processing: optional(processingPayment, null),
  order: optional(order, null),
  trialUsed: optional(flag),
  trials: optional(record(object({ days: number, endsAt: time }))),
  next: optional(nextAction, null),
  hold: optional(hold, null),
  unreachableEmails: optional(list(text)),
});

/** Decodes the user. The organisation's id replaces a missing user id, and the license's hold a missing hold. */
const userDetail: Decoder<UserDetail> = (value, path) => {
  const found = userFields(value, path);
  return {
    ...found,
    id: found.id || found.orgId,
    hold: found.hold ?? found.license?.hold ?? null,
  };
};

export const response = object({ detail: nullable(userDetail) });
