import { Notice } from '@/components/Notice';
import type { SendState } from './use-section-form';

interface SendResultProps {
  state: SendState;
  /** The title of the message after the values were sent. */
  doneTitle: string;
  /** Details of the message. */
  doneText?: string;
  failedTitle: string;
}

/** The result of sending a form. Must be the last child of an element with `space-y-5`. */
export const SendResult = ({ state, doneTitle, doneText, failedTitle }: SendResultProps) => (
  // Without a result, the negative margin removes the space below the button.
  <div className={state.status === 'done' || state.status === 'failed' ? undefined : '-mt-5'}>
    <div role="status">
      {state.status === 'done' && (
        <Notice tone="success" live={false} title={doneTitle}>
          {doneText && <p>{doneText}</p>}
        </Notice>
      )}
    </div>
    {state.status === 'failed' && (
      <Notice tone="danger" title={failedTitle}>
        <p>{state.message}</p>
      </Notice>
    )}
  </div>
);
