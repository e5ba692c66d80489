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
  timeZone,
} from './decode';
import {
  dueInvoice,
  hold,
  interval,
  nextAction,
  openPayment,
  order,
  pause,
  processingPayment,
  role,
  scheduledChange,
} from './parts';
import type { License, PlanInterval, UserDetail, UserOrganisation } from './types';

/** Returns the signed-in user, or null for a visitor. */
export const getUserDetail = async () =>
  (await get('/vc-admin/user/detail', userDetailResponse)).detail;

const textOrEmpty = optional(text, '');

type RawSubscription = License['raw'];

/** Returns a decoder of the provider's subscription in a license, with the fields that the specification names. */
const rawSubscription = (planAndStatus: Decoder<string>) =>
  object<RawSubscription>({
    status: planAndStatus as Decoder<RawSubscription['status']>,
    currency: textOrEmpty,
    current_period_end: optional(seconds, null),
    trial_end: optional(seconds, null),
    metadata: orEmpty(
      object({ name: planAndStatus, interval: textOrEmpty as Decoder<PlanInterval> }),
    ),
  });

const price = object<NonNullable<License['price']>>({
  amount: number,
  perMonth: number,
  annual: number,
});

/**
 * Returns a decoder of a license. `planAndStatus` decodes its plan and status. The subscription's interval and currency
 * replace missing ones.
 */
const licenseDecoder = (planAndStatus: Decoder<string>): Decoder<License> => {
  const licenseFields = object<License>({
    id: optional(id, ''),
    interval: textOrEmpty as Decoder<PlanInterval>,
    currency: textOrEmpty,
    isDev: optional(flag, false),
    price: optional(price, null),
    raw: orEmpty(rawSubscription(planAndStatus)),
    pending_change: optional(object({ replaces: optional(scheduledChange, null) }), null),
    scheduled_change: optional(scheduledChange, null),
    ends_at: optional(time, null),
    plan_ends_at: optional(time, null),
    ended_at: optional(time),
    end_cause: optional(oneOf('requested', 'unpaid', 'never_started')),
    hold: optional(hold, null),
    pause: optional(pause),
    next_charge_at: (value, path) => (value === null ? null : optional(time)(value, path)),
    invoice_due_at: optional(time),
    managed: optional(flag),
    invoiced: optional(dueInvoice, null),
  });
  return (value, path) => {
    const license = licenseFields(value, path);
    const { currency, metadata } = license.raw;
    return {
      ...license,
      interval: license.interval || metadata.interval,
      currency: license.currency || currency,
    };
  };
};

const licenseWithPlan = licenseDecoder(id);

/** Decodes the current license. Plan, status and interval are required, because a plan change depends on them. */
const currentLicense: Decoder<License> = (value, path) => {
  const license = licenseWithPlan(value, path);
  // only an operator's plan may have an interval that the catalogue does not have
  return license.managed
    ? license
    : { ...license, interval: interval(license.interval, `${path}.interval`) };
};

type ObstacleKind = NonNullable<UserDetail['planObstacles']>[string]['kind'];

const userFields = object<UserDetail>({
  now: optional(seconds),
  id: optional(id, ''),
  orgId: id,
  firstName: textOrEmpty,
  lastName: textOrEmpty,
  email: textOrEmpty,
  license: nullable(currentLicense),
  pastLicense: nullable(licenseDecoder(textOrEmpty)),
  openPayment: optional(openPayment, null),
  processing: optional(processingPayment, null),
  order: optional(order, null),
  trialUsed: optional(flag),
  trials: optional(record(object({ days: number, endsAt: time }))),
  next: optional(nextAction, null),
  hold: optional(hold, null),
  disputedAt: optional(time),
  disputeTimeZone: optional(timeZone),
  methodRefusal: optional(text),
  planObstacles: optional(
    record(
      object({
        kind: text as Decoder<ObstacleKind>,
        reason: text,
        at: nullable(time),
        timeZone: optional(timeZone),
      }),
    ),
  ),
  unreachableEmails: optional(list(text)),
  role: optional(role),
  organisations: optional(list(object<UserOrganisation>({ id, name: text, role }))),
  owners: optional(list(text)),
});

/** Decodes the user. The organisation's id replaces a missing user id; the license's hold replaces a missing hold. */
const userDetail: Decoder<UserDetail> = (value, path) => {
  const user = userFields(value, path);
  return {
    ...user,
    id: user.id || user.orgId,
    hold: user.hold ?? user.license?.hold ?? null,
  };
};

export const userDetailResponse = object({ detail: nullable(userDetail) });
