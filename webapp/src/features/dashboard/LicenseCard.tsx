import type { Config, License } from '@/api';
import { paths } from '@/app/paths';
import { useGate } from '@/app/use-gate';
import { Badge } from '@/ui/Badge';
import { Card } from '@/ui/Card';
import { Link } from '@/ui/Link';
import { Notice } from '@/ui/Notice';
import { licenseWords } from './license-words';

/** The license an organisation has: the plan, where it stands, what is paid next. */
export function LicenseCard({ license, config }: { license: License; config: Config }) {
  const { plan, status, tone, facts } = licenseWords(license, config);
  return (
    <Card aria-labelledby="license">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 id="license" className="text-xl">
          {plan}
        </h2>
        <Badge tone={tone}>{status}</Badge>
      </div>
      {license.isDev && (
        <p className="mt-3 text-muted">
          This licence was granted to your organisation. Nothing is charged for it.
        </p>
      )}
      {license.raw.status === 'past_due' && <Overdue />}
      {facts.length > 0 && (
        <dl className="figures mt-5 divide-y divide-line border-t border-line">
          {facts.map(([label, text]) => (
            <div key={label} className="flex flex-wrap justify-between gap-x-6 py-3">
              <dt className="text-muted">{label}</dt>
              <dd className="font-semibold">{text}</dd>
            </div>
          ))}
        </dl>
      )}
    </Card>
  );
}

function Overdue() {
  const gate = useGate();
  return (
    <Notice
      tone="danger"
      live={false}
      className="mt-4"
      title="Your last payment did not go through"
    >
      <p>
        We will try again over the next days.{' '}
        <Link to={paths.cards(gate)} className="underline">
          Add another card
        </Link>{' '}
        to keep your plan.
      </p>
    </Notice>
  );
}
