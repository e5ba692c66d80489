import { lazy, Suspense } from 'react';
import { PageTitle } from '@/components/PageTitle';
import { loadChunk } from '@/lib/load-chunk';
import { RegistrationSkeleton } from './RegistrationSkeleton';

const Registration = lazy(() => loadChunk(import('./Registration')));

/** The registration of a visitor who has chosen a plan. Its title is shown while the script of the form loads. */
export default function RegistrationScreen() {
  return (
    <div className="page pt-7 sm:pt-10">
      <PageTitle>Create your account</PageTitle>
      <Suspense fallback={<RegistrationSkeleton />}>
        <Registration />
      </Suspense>
    </div>
  );
}
