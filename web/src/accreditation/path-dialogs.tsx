import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { dataOf, exchange } from '../api/client.ts';
import { sendOnce } from '../api/send-once.ts';
import { announce } from '../parts/announce.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { SelectField } from '../parts/field.tsx';
import { ProblemNote } from '../parts/read-block.tsx';
import { useCustomerWords } from '../texts/use-customer-words.ts';
import type { Accreditation, Verification } from './accreditation-queries.ts';

type EvidenceKind = Verification['evidenceKind'];

const EVIDENCE = [
  'income',
  'net_worth',
  'professional_letter',
  'earlier_verification',
] as const satisfies readonly EvidenceKind[];

interface CertifyProps {
  readonly attestation: Accreditation['attestation'];
  readonly onClose: () => void;
}

/** The text in full and a box that is not ticked: what is certified is this version of it. */
export function CertifyDialog({ attestation: { version, text }, onClose }: CertifyProps) {
  const { c } = useCustomerWords();
  const [isTrue, setTrue] = useState(false);
  return (
    <StepDialog
      title={c('accreditation.certify')}
      act={c('accreditation.act_certify')}
      failed={c('accreditation.not_certified')}
      said={c('accreditation.certified_said')}
      name={`certify ${version}`}
      isReady={isTrue}
      send={(key) =>
        dataOf(
          exchange.POST('/v1/account/accreditation/attestations', {
            params: { header: { 'Idempotency-Key': key } },
            body: { version, certified: true },
          }),
        )
      }
      onClose={onClose}
    >
      <blockquote className="told">{text}</blockquote>
      <label className="check">
        <input type="checkbox" checked={isTrue} onChange={(event) => setTrue(event.target.checked)} />{' '}
        {c('accreditation.box')}
      </label>
    </StepDialog>
  );
}

export function VerifyDialog({ onClose }: { readonly onClose: () => void }) {
  const { c } = useCustomerWords();
  const [kind, setKind] = useState<EvidenceKind>('income');
  return (
    <StepDialog
      title={c('accreditation.verify')}
      act={c('accreditation.ask')}
      failed={c('accreditation.not_asked')}
      said={c('accreditation.asked_said')}
      name={`verify ${kind}`}
      isReady
      send={(key) =>
        dataOf(
          exchange.POST('/v1/account/accreditation/verifications', {
            params: { header: { 'Idempotency-Key': key } },
            body: { evidenceKind: kind },
          }),
        )
      }
      onClose={onClose}
    >
      <SelectField<EvidenceKind>
        label={c('accreditation.evidence')}
        value={kind}
        options={EVIDENCE.map((value) => ({ value, label: c(`evidence.${value}`) }))}
        onChange={setKind}
      />
      <p className="dim small">{c('accreditation.verify_documents')}</p>
    </StepDialog>
  );
}

interface StepDialogProps {
  readonly title: string;
  readonly act: string;
  readonly failed: string;
  readonly said: string;
  readonly name: string;
  readonly isReady: boolean;
  readonly send: (key: string) => Promise<unknown>;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** One step of the path, sent once. */
function StepDialog({ title, act, failed, said, name, isReady, send, onClose, children }: StepDialogProps) {
  const { c } = useCustomerWords();
  const queries = useQueryClient();
  const [problem, setProblem] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!isReady) return;
    setBusy(true);
    setProblem(null);
    try {
      await sendOnce(name, send);
      announce(said);
      onClose();
    } catch (error) {
      setProblem(error);
    } finally {
      setBusy(false);
      await queries.invalidateQueries({ queryKey: ['own'] });
    }
  };
  return (
    <Dialog title={title} opened onClose={onClose}>
      <form onSubmit={(event) => void submit(event)}>
        <div className="dialog-body stack">
          {children}
          {problem !== null && <ProblemNote title={failed} error={problem} />}
        </div>
        <div className="dialog-acts">
          <button type="button" className="button" data-autofocus onClick={onClose}>
            {c('pay.leave')}
          </button>
          <button type="submit" className="button primary" disabled={busy || !isReady}>
            {act}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
