import { Letter } from '@/components/illustrations/ChairDrawings';
import { PageTitle } from '@/components/PageTitle';
import { PicturePage } from '@/components/PicturePage';
import type { Elements } from '@/lib/elements';
import { CookiesNotice } from '@/modules/session/CookiesNotice';

interface AccessFrameProps {
  title: string;
  /** Whether to focus the heading on mount, because it replaces previous content. */
  focusOnMount?: boolean;
  children: Elements;
}

/** The layout of the screens that verify email addresses and reset passwords: the content beside a picture. */
export function AccessFrame({ title, focusOnMount, children }: AccessFrameProps) {
  return (
    <PicturePage isForm picture={<Letter className="w-full" />}>
      <PageTitle key={title} focusOnMount={focusOnMount}>
        {title}
      </PageTitle>
      <CookiesNotice />
      {children}
    </PicturePage>
  );
}
