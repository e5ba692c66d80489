import type { ReactElement, ReactNode } from 'react';
import { PageBanner } from '@/components/PageBanner';
import { PageTitle } from '@/components/PageTitle';
import type { Elements } from '@/lib/elements';

export interface AccountFrameProps {
  title: string;
  /** The document title, if it differs from the title. */
  documentTitle?: string;
  /** Moves the focus to the title on mount, because the page replaces the focused element. */
  focusOnMount?: boolean;
  /** Shown in the first column of a wide window, otherwise above the title. Without it the column is empty. */
  navigation?: ReactElement;
  /** A link to the previous screen, above the title. */
  backLink?: ReactNode;
  /** A status beside the title. */
  badge?: Elements;
  /** A button at the end of the title's line. */
  action?: Elements;
  /** A sentence below the title. */
  description?: string;
  children: Elements;
}

/** The layout of a page with a navigation, a title and the content. */
export function AccountFrame(props: AccountFrameProps) {
  const {
    title,
    documentTitle,
    focusOnMount,
    navigation,
    backLink,
    badge,
    action,
    description,
    children,
  } = props;
  return (
    <div className="page">
      <div className="@container">
        <div className="@account:grid @account:grid-cols-[12.5rem_minmax(0,1fr)] @account:gap-8">
          {navigation ?? <div />}
          <div className="@container min-w-0 pt-6 pb-8 @account:pt-9">
            <div className="print:hidden">{backLink}</div>
            <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
              <PageTitle className="min-w-0" title={documentTitle} focusOnMount={focusOnMount}>
                {title}
              </PageTitle>
              {(badge || action) && (
                <div className="flex grow flex-wrap items-center gap-x-3 gap-y-2">
                  {badge}
                  <div className="ml-auto empty:hidden">{action}</div>
                </div>
              )}
            </div>
            {description && (
              <p className="mt-2 text-balance break-words text-muted">{description}</p>
            )}
            <PageBanner className="mt-4" />
            {children}
          </div>
        </div>
      </div>
    </div>
  );
}
