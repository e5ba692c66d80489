import { lazy, Suspense } from 'react';
import { WaitingRoom } from '@/components/illustrations/WaitingRoom';
import { CardSkeleton } from '@/components/Loading';
import { PageTitle } from '@/components/PageTitle';
import { PicturePage } from '@/components/PicturePage';
import { loadChunk } from '@/lib/load-chunk';
import { WithConfig } from '@/modules/session/WithConfig';

const ContactDetails = lazy(() => loadChunk(import('./ContactDetails')));

const skeleton = <CardSkeleton className="mt-6 h-64" />;

/** The contact page of the sales team. Its title is shown while the script of the details loads. */
export function ContactScreen() {
  return (
    <PicturePage picture={<WaitingRoom className="w-full" />}>
      <PageTitle>Contact sales</PageTitle>
      <p className="mt-2 text-lg text-muted">
        Tell us how many of you there are and what you need, and we set it up with you.
      </p>
      <WithConfig fallback={skeleton}>
        <Suspense fallback={skeleton}>
          <ContactDetails />
        </Suspense>
      </WithConfig>
    </PicturePage>
  );
}
