import type { Config, License } from '@/api';
import type { Badge } from '@/components/Badge';
import { longDate, longDateOf } from '@/lib/dates';
import { statusText } from '@/lib/license';
import { offerOf, priceText } from '@/lib/offer';

/** The displayed texts of a license. */
export interface LicenseWords {
  /** The plan's display name; its id when the plan is no longer sold. */
  plan: string;
  status: string;
  tone: Parameters<typeof Badge>[0]['tone'];
  /** The facts as label and text, in order. */
  facts: [label: string, text: string][];
}

const tones: Record<string, LicenseWords['tone']> = {
  trialing: 'brand',
  active: 'success',
  past_due: 'danger',
  unpaid: 'danger',
};

/** Returns the texts of a license: plan, status, and the next payment. */
export function licenseWords(license: License, config: Config): LicenseWords {
  const { status, metadata, trial_end, current_period_end } = license.raw;
  const offer = offerOf(config, { ...license, product: metadata.name });
  const plan = config.catalogue.plans.find(({ id }) => id === metadata.name);
  const price = offer?.price ? `${priceText(offer.price)} on ` : '';
  const trial = status === 'trialing' ? trial_end : null;
  const next = trial ?? current_period_end;
  const words: Pick<LicenseWords, 'status' | 'tone'> = license.isDev
    ? { status: 'developer licence', tone: 'neutral' }
    : { status: statusText(status), tone: tones[status] ?? 'neutral' };
  return {
    plan: plan?.displayName ?? metadata.name,
    ...words,
    facts: license.isDev
      ? []
      : [
          ['Billed', `${license.interval}, in ${license.currency.toUpperCase()}`],
          ...fact('Trial ends', trial && longDateOf(trial)),
          ...fact('Next payment', willPay(license) && next && price + longDateOf(next)),
          ...fact('Plan ends', license.ends_at && longDate(new Date(license.ends_at))),
        ],
  };
}

/** Without an amount if a change is scheduled; the billing page has it. */
const willPay = ({ raw, ends_at, scheduled_change }: License) =>
  ['trialing', 'active'].includes(raw.status) && !ends_at && !scheduled_change;

function fact(label: string, text?: string | false | number | null): [string, string][] {
  return text ? [[label, String(text)]] : [];
}
