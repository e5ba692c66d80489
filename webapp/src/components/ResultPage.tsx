import type { Elements } from '@/lib/elements';
import { CircleCheckIcon, InfoIcon, TriangleAlertIcon } from './icons';
import { Calendar, Receipt } from './illustrations/ChairDrawings';
import { PageTitle } from './PageTitle';
import { PicturePage } from './PicturePage';

const tones = {
  success: { Icon: CircleCheckIcon, color: 'text-success', Picture: Receipt },
  waiting: { Icon: InfoIcon, color: 'text-brand', Picture: Calendar },
  attention: { Icon: TriangleAlertIcon, color: 'text-attention', Picture: Calendar },
};

interface ResultPageProps {
  tone: keyof typeof tones;
  title: string;
  /** Links to the next steps. */
  actions?: Elements;
  children: Elements;
}

/** The screen with the result of a step. It replaces the form of the step, so its title is focused and announced. */
export function ResultPage({ tone, title, actions, children }: ResultPageProps) {
  const { Icon, color, Picture } = tones[tone];
  return (
    <PicturePage picture={<Picture className="w-full" />}>
      <div role="status">
        <Icon size={40} className={`-ml-0.5 ${color}`} />
        <PageTitle focusOnMount className="mt-3">
          {title}
        </PageTitle>
        {children}
      </div>
      {actions && <div className="mt-8 flex flex-wrap gap-3">{actions}</div>}
    </PicturePage>
  );
}
