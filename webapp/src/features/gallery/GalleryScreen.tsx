import { PageTitle } from '@/components/PageTitle';
import { WithConfig } from '@/components/WithConfig';
import { ChargeExamples } from './ChargeExamples';
import { ControlExamples } from './ControlExamples';
import { StateExamples } from './StateExamples';

/**
 * The components in all their states, for designers and the accessibility tests. The server has this page in
 * development only.
 */
export default function GalleryScreen() {
  return (
    <div className="page pt-8 pb-16">
      <PageTitle>Components</PageTitle>
      <WithConfig>
        {(config) => (
          <>
            <ControlExamples />
            <StateExamples />
            <ChargeExamples config={config} />
          </>
        )}
      </WithConfig>
    </div>
  );
}
