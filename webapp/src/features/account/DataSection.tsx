import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { type RefObject, useEffect, useRef, useState } from 'react';
import {
  exportData,
  type Privacy,
  requestErasure,
  showPrivacy,
  withdrawErasure,
} from '@/api/privacy';
import { AccountSection } from '@/components/AccountSection';
import { Button } from '@/components/Button';
import { Field } from '@/components/Field';
import { LoadFailure } from '@/components/LoadFailure';
import { Skeleton } from '@/components/Loading';
import { Notice } from '@/components/Notice';
import { saveFile } from '@/lib/save-file';
import { useConfirmedCall } from '@/modules/session/ConfirmIdentity';
import { longDate, useOrganisationZone } from '@/modules/session/dates';
import { SendResult } from '@/modules/session/SendResult';
import { type SendState, sendStateAfter, useSectionForm } from '@/modules/session/use-section-form';

const privacyQuery = queryOptions({
  queryKey: ['privacy'],
  queryFn: showPrivacy,
  meta: { failure: "The organisation's data could not be loaded" },
});

type CallWithConfirmation = ReturnType<typeof useConfirmedCall>['callWithConfirmation'];

/** The download of the organisation's data, and the request for its deletion. Only owners may use this section. */
export default function DataSection() {
  const heading = useRef<HTMLHeadingElement>(null);
  const { callWithConfirmation, dialog } = useConfirmedCall();
  const { data: privacy, isPending, refetch } = useQuery(privacyQuery);
  return (
    <AccountSection
      title="Your organisation's data"
      description="Download it, or request its deletion."
      headingRef={heading}
    >
      <div className="space-y-8">
        <Download callWithConfirmation={callWithConfirmation} />
        {isPending && (
          <div role="status">
            <span className="sr-only">Loading the state of the deletion...</span>
            <Skeleton className="h-11" />
          </div>
        )}
        {!isPending && !privacy && (
          <LoadFailure retry={() => void refetch()}>
            The state of the deletion could not be loaded.
          </LoadFailure>
        )}
        {privacy && (
          <Deletion
            privacy={privacy}
            callWithConfirmation={callWithConfirmation}
            heading={heading}
          />
        )}
      </div>
      {dialog}
    </AccountSection>
  );
}

function Download({ callWithConfirmation }: { callWithConfirmation: CallWithConfirmation }) {
  const [state, setState] = useState<SendState>({ status: 'idle' });

  async function download() {
    setState({ status: 'busy' });
    const result = await sendStateAfter('The data could not be downloaded', async () => {
      await saveFile(await callWithConfirmation(exportData), 'organisation-data.json');
    });
    setState(result);
  }

  return (
    <div className="space-y-5">
      <p className="text-muted">
        The file contains what we store about your organisation and its members, in JSON.
      </p>
      <Button
        variant="secondary"
        busy={state.status === 'busy'}
        busyLabel="Loading..."
        onClick={() => void download()}
      >
        Download the data
      </Button>
      <SendResult
        state={state}
        doneTitle="The data was downloaded"
        failedTitle="The data was not downloaded"
      />
    </div>
  );
}

interface DeletionProps {
  privacy: Privacy;
  callWithConfirmation: CallWithConfirmation;
  /** The heading that gets the focus after the pressed button is removed. */
  heading: RefObject<HTMLHeadingElement | null>;
}

function Deletion({ privacy, callWithConfirmation, heading }: DeletionProps) {
  const client = useQueryClient();
  const { erasure } = privacy;
  const isRequested = erasure !== null;
  const wasRequested = useRef(isRequested);
  const [isFormOpen, setIsFormOpen] = useState(false);
  const [isCancelled, setIsCancelled] = useState(false);
  const [result, setResult] = useState('');

  useEffect(() => {
    if (wasRequested.current !== isRequested) heading.current?.focus();
    wasRequested.current = isRequested;
  }, [isRequested, heading]);

  /** Sends a change. After a failure it loads the state again, because another owner may have changed it. */
  async function change(call: () => Promise<Privacy>, text: string) {
    setResult('');
    try {
      client.setQueryData(privacyQuery.queryKey, await callWithConfirmation(call));
    } catch (error) {
      await client.invalidateQueries(privacyQuery);
      throw error;
    }
    setIsFormOpen(false);
    setIsCancelled(false);
    setResult(text);
  }

  return (
    <div className="space-y-5">
      <div>
        <h3 className="font-semibold">Deletion</h3>
        <div role="status" className={result ? 'mt-5' : undefined}>
          {result && <Notice tone="success" live={false} title={result} />}
        </div>
      </div>
      {erasure ? (
        <RequestedDeletion
          privacy={privacy}
          erasure={erasure}
          withdraw={() => change(withdrawErasure, 'The request is withdrawn')}
        />
      ) : (
        <>
          <DeletionText privacy={privacy} />
          {isFormOpen ? (
            <RequestForm
              organisation={privacy.organisation}
              request={(name) => change(() => requestErasure(name), 'The deletion is requested')}
              onCancel={() => {
                setIsFormOpen(false);
                setIsCancelled(true);
              }}
            />
          ) : privacy.obstacle ? (
            <Notice live={false} title="The data can't be deleted now">
              <p>{privacy.obstacle}</p>
            </Notice>
          ) : (
            <Button
              variant="secondary"
              autoFocus={isCancelled}
              onClick={() => {
                setResult('');
                setIsFormOpen(true);
              }}
            >
              Request the deletion
            </Button>
          )}
        </>
      )}
    </div>
  );
}

/** What a deletion deletes and keeps. */
const DeletionText = ({ privacy }: { privacy: Privacy }) => (
  <div className="space-y-3 text-muted">
    <p>
      14 days after your request we delete your organisation, and the accounts of members who belong
      to no other one. All owners get an email, and each of them can withdraw the request until
      then.
    </p>
    <p>{keptText(privacy)}</p>
  </div>
);

/** Returns a text with the data that is kept after a deletion. */
function keptText({ keepUntil }: Privacy): string {
  const log = 'Our audit log keeps what was done, without names and addresses.';
  if (!keepUntil) return log;
  const lastDay = longDate(new Date(Date.parse(keepUntil) - 1), 'UTC');
  return `The law requires us to keep your invoices, with the name and address on them, until ${lastDay}. ${log}`;
}

interface RequestFormProps {
  organisation: string;
  request: (name: string) => Promise<void>;
  onCancel: () => void;
}

function RequestForm({ organisation, request, onCancel }: RequestFormProps) {
  const { field, state, submit } = useSectionForm({
    initialValues: { confirmation: '' },
    check: ({ confirmation }): { confirmation?: string } =>
      confirmation.trim() ? {} : { confirmation: 'Please enter the name of your organisation' },
    failure: 'The deletion could not be requested',
    send: ({ confirmation }) => request(confirmation),
  });
  return (
    <form onSubmit={submit} noValidate className="space-y-5">
      <p>
        <span>To confirm, type the name: </span>
        <strong translate="no" className="wrap-anywhere">
          {organisation}
        </strong>
      </p>
      <Field
        label="Name of your organisation"
        autoComplete="off"
        autoFocus
        {...field('confirmation')}
      />
      <p className="flex flex-wrap gap-3">
        <Button
          variant="danger"
          type="submit"
          busy={state.status === 'busy'}
          busyLabel="Sending..."
        >
          Request the deletion
        </Button>
        <Button variant="quiet" onClick={onCancel}>
          Cancel
        </Button>
      </p>
      <SendResult state={state} doneTitle="" failedTitle="The deletion was not requested" />
    </form>
  );
}

interface RequestedDeletionProps {
  privacy: Privacy;
  erasure: NonNullable<Privacy['erasure']>;
  withdraw: () => Promise<void>;
}

function RequestedDeletion({ privacy, erasure, withdraw }: RequestedDeletionProps) {
  const zone = useOrganisationZone();
  const [state, setState] = useState<SendState>({ status: 'idle' });
  const { obstacle } = privacy;

  async function send() {
    setState({ status: 'busy' });
    setState(await sendStateAfter('The request could not be withdrawn', withdraw));
  }

  const date = (time: string) => longDate(new Date(time), zone);
  return (
    <div className="space-y-5">
      <Notice
        tone="attention"
        live={false}
        title={`Your organisation is deleted on ${date(erasure.dueAt)}`}
      >
        <p>{`Requested on ${date(erasure.requestedAt)}. Each owner can withdraw the request until then.`}</p>
        {obstacle && <p className="mt-2">{`It can't be deleted yet: ${obstacle}`}</p>}
        <p className="mt-2">{keptText(privacy)}</p>
      </Notice>
      <Button
        variant="secondary"
        busy={state.status === 'busy'}
        busyLabel="Withdrawing..."
        onClick={() => void send()}
      >
        <span>Withdraw</span>
        <span className="sr-only"> the request for the deletion</span>
      </Button>
      <SendResult state={state} doneTitle="" failedTitle="The request was not withdrawn" />
    </div>
  );
}
