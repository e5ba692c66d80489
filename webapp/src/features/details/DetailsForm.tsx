import type { UseFormRegisterReturn } from 'react-hook-form';
import type { BillingDetails } from '@/api';
import { AddressFields } from '@/components/AddressFields';
import { Button } from '@/components/Button';
import { Field } from '@/components/Field';
import { FormGroup } from '@/components/FormGroup';
import { Notice } from '@/components/Notice';
import { routes } from '@/lib/paths';
import { buyerLines } from '@/modules/billing/details-text';
import { useCan } from '@/modules/config/capabilities';
import { AppLink } from '@/modules/session/AppLink';
import { BillingEmailField } from './BillingEmailField';
import { previewOf } from './details-form';
import { TaxIdFields } from './TaxIdFields';
import { type SaveState, useDetailsForm } from './use-details-form';

interface DetailsFormProps {
  details: BillingDetails;
  /** The addresses that refuse our emails. */
  unreachableEmails?: string[] | undefined;
}

/** The form with the billing details of the organisation. */
export function DetailsForm({ details, unreachableEmails }: DetailsFormProps) {
  const { form, register, field, storedDetails, saveState, submit } = useDetailsForm(details);
  const { errors } = form.formState;
  return (
    <div className="mt-8 items-start gap-8 @columns:grid @columns:grid-cols-[minmax(0,552fr)_minmax(0,400fr)]">
      <form onSubmit={submit} noValidate className="max-w-[34.5rem] space-y-10">
        <FormGroup title="Your organisation">
          <Field label="Legal name" autoComplete="organization" {...field('legalName')} />
          <BillingEmailField
            {...field('billingEmail')}
            details={storedDetails}
            unreachableEmails={unreachableEmails}
          />
          {storedDetails.attachPdf !== undefined && form.watch('billingEmail') && (
            <AttachmentCheckbox {...register('attachPdf')} />
          )}
          <Field
            label="Phone no."
            type="tel"
            inputMode="tel"
            autoComplete="tel"
            {...field('phone')}
          />
          <Field
            label="Purchase order number"
            optional
            hint="Printed on your invoices."
            autoComplete="off"
            {...field('purchaseOrder')}
          />
        </FormGroup>
        <FormGroup title="Billing address">
          <AddressFields form={form} field={field} />
        </FormGroup>
        <FormGroup title="Tax id">
          <TaxIdFields form={form} field={field} />
        </FormGroup>
        <div className="space-y-4">
          <Button
            type="submit"
            busy={saveState.status === 'busy'}
            busyLabel="Saving..."
            // Keeps the focus in the field, which on blur could show a message that moves this button before the click ends.
            onMouseDown={(event) => event.preventDefault()}
          >
            Save
          </Button>
          <SaveResult state={saveState} unconfirmedEmail={storedDetails.unconfirmedEmail} />
        </div>
        <PreferencesLink token={storedDetails.emailPreferencesToken} />
      </form>
      <InvoicePreview details={previewOf(form.watch(), Boolean(errors.taxValue))} />
    </div>
  );
}

/** The checkbox that attaches the documents of invoices to the emails to the billing email. */
const AttachmentCheckbox = (register: UseFormRegisterReturn) => (
  <label className="flex cursor-pointer items-start gap-3">
    <input type="checkbox" className="check mt-0.5" {...register} />
    <span>
      <span>Attach the PDF to emails about invoices and payments</span>
      <span className="block text-sm text-muted">
        To this address only. You find all PDFs in your invoices.
      </span>
    </span>
  </label>
);

/** A link to the emails that the user can turn off. */
function PreferencesLink({ token }: { token: string | undefined }) {
  const hasPreferences = useCan('email_preferences');
  if (!token || !hasPreferences) return null;
  return (
    <p className="border-t border-line pt-6 text-sm">
      <span className="text-muted">Some emails about billing are optional. </span>
      <AppLink
        to={routes.emailPreferences}
        state={{ token }}
        className="text-link inline-block py-1"
      >
        Choose the emails you receive
      </AppLink>
    </p>
  );
}

/** A preview of the details on the next invoice. It is hidden if there is no room beside the form. */
function InvoicePreview({ details }: { details: BillingDetails }) {
  const { legalName, purchaseOrder } = details;
  const rows = [
    ['To', buyerLines({ ...details, name: legalName })],
    ['Purchase order', purchaseOrder ? [purchaseOrder] : []],
  ] as const;
  return (
    <section
      aria-labelledby="preview"
      className="sticky top-6 hidden rounded-card border border-line bg-surface p-6 @columns:block"
    >
      <h2 id="preview" className="text-lg">
        On your next invoice
      </h2>
      {rows.map(
        ([label, lines]) =>
          lines.length > 0 && (
            <dl key={label} className="mt-3 text-sm wrap-anywhere">
              <dt className="text-muted">{label}</dt>
              {lines.map((line, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: lines can be equal, such as a name and a street
                <dd key={index}>{line}</dd>
              ))}
            </dl>
          ),
      )}
    </section>
  );
}

interface SaveResultProps {
  state: SaveState;
  unconfirmedEmail?: string;
}

function SaveResult({ state, unconfirmedEmail }: SaveResultProps) {
  return (
    <>
      <div role="status">
        {state.status === 'saved' && (
          <Notice tone="success" live={false} title="Saved">
            <p>Your next invoice has these details. Earlier invoices stay as they are.</p>
            {unconfirmedEmail && (
              <p>{`${unconfirmedEmail} gets emails about billing once it is confirmed.`}</p>
            )}
          </Notice>
        )}
        {state.status === 'unchanged' && (
          <Notice live={false}>
            <p>Nothing has changed.</p>
          </Notice>
        )}
      </div>
      {state.status === 'failed' && state.message && (
        <Notice tone="danger" title="Your details were not saved">
          <p>{state.message}</p>
        </Notice>
      )}
    </>
  );
}
