import { lazy, Suspense, useState } from 'react';
import { Button } from '@/components/Button';
import { Panel, PanelSection } from '@/components/Panel';
import { loadChunk } from '@/lib/load-chunk';
import { ActivitySkeleton } from './ActivitySkeleton';

const ActivityList = lazy(() => loadChunk(import('./ActivityList')));

/** What happened to the organisation. It is loaded when the user opens the section. */
export function ActivitySection() {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Panel className="print:hidden">
      <PanelSection aria-labelledby="activity">
        <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
          <div className="grow">
            <h2 id="activity" className="text-lg">
              Activity
            </h2>
            <p className="text-sm text-muted">
              Changes of the plan, payments, billing details and members.
            </p>
          </div>
          <Button
            variant="secondary"
            aria-expanded={isOpen}
            aria-controls="activity-list"
            onClick={() => setIsOpen(!isOpen)}
          >
            {isOpen ? 'Hide activity' : 'Show activity'}
          </Button>
        </div>
        <div id="activity-list" hidden={!isOpen} className="mt-4">
          {isOpen && (
            <Suspense fallback={<ActivitySkeleton />}>
              <ActivityList />
            </Suspense>
          )}
        </div>
      </PanelSection>
    </Panel>
  );
}
