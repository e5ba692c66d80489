import { CheckIcon, CrossIcon } from '@/ui/icons';

/** What a plan has to offer in one row: a tick or a cross with words for it, or a text. */
export function CapabilityValue({ value }: { value: boolean | string | undefined }) {
  if (typeof value === 'string') return <span>{value}</span>;
  return (
    <>
      {value ? (
        <CheckIcon className="inline text-success" />
      ) : (
        <CrossIcon className="inline text-muted" />
      )}
      <span className="sr-only">{value ? 'Included' : 'Not included'}</span>
    </>
  );
}
