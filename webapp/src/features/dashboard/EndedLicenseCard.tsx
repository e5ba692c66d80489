import type { Config, License } from '@/api';
import { paths } from '@/app/paths';
import { useOpenGate } from '@/app/use-gate';
import { Badge } from '@/ui/Badge';
import { buttonClass } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { Link } from '@/ui/Link';
import { licenseWords } from './license-words';

/** What an organisation used to have, and the way back to it. */
export function EndedLicenseCard({ license, config }: { license: License; config: Config }) {
  const gate = useOpenGate();
  const { plan, status } = licenseWords(license, config);
  return (
    <Card aria-labelledby="ended">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 id="ended" className="text-xl">
          {`Your ${plan} plan has ended`}
        </h2>
        <Badge tone="neutral">{status}</Badge>
      </div>
      <p className="mt-3 text-muted">
        {`It was billed ${license.interval}, in ${license.currency.toUpperCase()}. `}
        Nothing is charged any more. You can subscribe again at any time; the free trial was used.
      </p>
      <Link to={paths.plans(gate)} className={`${buttonClass()} mt-5`}>
        Subscribe again
      </Link>
    </Card>
  );
}
