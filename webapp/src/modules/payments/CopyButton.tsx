import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { canCopy, copyText } from '@/lib/clipboard';

/** The button that copies a value; none if the browser can't copy. */
export function CopyButton({ label, value }: { label: string; value: string }) {
  const [copiedValue, setCopiedValue] = useState('');
  const isCopied = copiedValue === value;
  const Icon = isCopied ? Check : Copy;
  if (!canCopy()) return null;
  return (
    <button
      type="button"
      aria-label={isCopied ? `${label} copied` : `Copy ${label}`}
      className="-my-3 -mr-3 inline-flex size-11 items-center justify-center text-brand"
      onClick={async () => setCopiedValue((await copyText(value)) ? value : '')}
    >
      <Icon aria-hidden size={18} />
    </button>
  );
}
