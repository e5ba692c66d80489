import { cx } from '@/lib/cx';
import type { Elements } from '@/lib/elements';
import { PageBanner } from './PageBanner';
import { PageTitle } from './PageTitle';

interface PurchasePageProps {
  title: string;
  /** A link to the previous screen, above the title. */
  backLink?: Elements;
  /** The purpose of the charge, below the title. */
  intro?: string;
  /** An illustration under the title, on wide windows. */
  picture?: Elements;
  /** The summary of the charges, at the right. */
  aside?: Elements;
  /** Whether `aside` is above the content on narrow windows, instead of below it. */
  asideFirst?: boolean;
  children: Elements;
}

/** The layout of screens that lead to a charge. Title, form and summary are beside each other where they fit. */
export function PurchasePage(props: PurchasePageProps) {
  const { title, backLink, intro, picture, aside, asideFirst, children } = props;
  const summary = aside && (
    <div className="min-w-0 @min-[52rem]:col-start-2 @min-[52rem]:row-start-2 @min-[72rem]:col-start-3 @min-[72rem]:row-start-1">
      {aside}
    </div>
  );
  return (
    <div className="page">
      <div className="@container">
        <div
          className={cx(
            'grid grid-cols-1 items-start gap-x-8 gap-y-4 pt-7 @min-[52rem]:gap-y-6 @min-[72rem]:pt-10',
            '@min-[52rem]:grid-cols-[minmax(0,1fr)_25rem] @min-[72rem]:grid-cols-[12.5rem_minmax(0,1fr)_25rem]',
          )}
        >
          <div className="@min-[52rem]:col-span-2 @min-[72rem]:col-span-1">
            {backLink}
            <PageTitle>{title}</PageTitle>
            {intro && <p className="mt-3 text-muted">{intro}</p>}
            {picture && <div className="mt-6 hidden @min-[72rem]:block">{picture}</div>}
          </div>
          {asideFirst && summary}
          <div
            className={cx(
              'min-w-0 space-y-4 @min-[52rem]:row-start-2 @min-[52rem]:space-y-6 @min-[72rem]:col-start-2 @min-[72rem]:row-start-1',
              aside ? '@min-[52rem]:col-start-1' : '@min-[52rem]:col-span-2',
            )}
          >
            <PageBanner />
            {children}
          </div>
          {!asideFirst && summary}
        </div>
      </div>
    </div>
  );
}
