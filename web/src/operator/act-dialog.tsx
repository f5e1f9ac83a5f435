import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { ApiProblem } from '../api/api-problem.ts';
import { sendOnce } from '../api/send-once.ts';
import { announce } from '../parts/announce.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Field } from '../parts/field.tsx';
import { ProblemNote } from '../parts/read-block.tsx';
import { beginSession } from '../session/session.ts';
import { useOperatorWords } from './use-operator-words.ts';

const REASON_LENGTH_MAX = 500;
const DRAFT = 'act:';
const APPROVAL = 'approval:';

/** What a call of an operator carries beside its body. */
export interface ActHeaders {
  readonly 'Idempotency-Key': string;
  /** Of the second operator's approval, once there is one. */
  readonly 'X-Operator-Approval'?: string;
}

interface ActDialogProps {
  /** Names the act and its object: what was written is kept under it while its person signs in once more. */
  readonly name: string;
  readonly title: string;
  /** What it does, with its number. */
  readonly act: string;
  readonly danger?: boolean;
  /** Another field keeps it from being sent. */
  readonly blocked?: boolean;
  readonly onClose: () => void;
  /** What is said when it is done, and the dialog closes; or what has come of it that mended nothing, and the dialog stays. Throws what the API refuses. */
  readonly send: (reason: string, headers: ActHeaders) => Promise<string | { readonly stays: string }>;
  /** What it will do, in numbers. */
  readonly children: ReactNode;
}

/** An act of an operator: what will happen, why, and then it happens, after a fresh factor and a second operator where the API asks for them. */
export function ActDialog({
  name,
  title,
  act,
  danger = false,
  blocked = false,
  onClose,
  send,
  children,
}: ActDialogProps) {
  const { o } = useOperatorWords();
  const queries = useQueryClient();
  const [reason, setReason] = useState(sessionStorage.getItem(DRAFT + name) ?? '');
  const [approval, setApproval] = useState(sessionStorage.getItem(APPROVAL + name));
  const [isMissing, setMissing] = useState(false);
  const [problem, setProblem] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const close = () => {
    // What waits for another operator is asked again in the same words.
    if (sessionStorage.getItem(APPROVAL + name) === null) sessionStorage.removeItem(DRAFT + name);
    onClose();
  };
  const write = (words: string) => {
    setReason(words);
    // In other words it is another call, which nobody has approved.
    sessionStorage.removeItem(APPROVAL + name);
    setApproval(null);
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const why = reason.trim();
    setMissing(why === '');
    if (why === '' || blocked) return;
    setBusy(true);
    setProblem(null);
    try {
      const said = await sendOnce(`${name} ${approval ?? ''} ${why}`, (key) =>
        send(why, { 'Idempotency-Key': key, ...(approval === null ? {} : { 'X-Operator-Approval': approval }) }),
      );
      sessionStorage.removeItem(APPROVAL + name);
      if (typeof said === 'string') {
        announce(said);
        close();
      } else announce(said.stays, 'assertive');
    } catch (error) {
      const asked = approvalAskedBy(error);
      if (asked !== null) {
        sessionStorage.setItem(APPROVAL + name, asked);
        sessionStorage.setItem(DRAFT + name, why);
        setApproval(asked);
      } else setProblem(error);
    } finally {
      setBusy(false);
      await queries.invalidateQueries({ queryKey: ['operator'] });
    }
  };
  return (
    <Dialog title={title} opened onClose={close}>
      <form onSubmit={(event) => void submit(event)} noValidate>
        <div className="dialog-body stack">
          {children}
          <Field label={o('act.reason')} hint={o('act.reason_hint')} error={isMissing ? o('act.reason_missing') : null}>
            {({ id, describedBy, invalid }) => (
              <textarea
                id={id}
                name="reason"
                className="input"
                rows={3}
                maxLength={REASON_LENGTH_MAX}
                aria-describedby={describedBy}
                aria-invalid={invalid}
                value={reason}
                onChange={(event) => write(event.target.value)}
              />
            )}
          </Field>
          {approval !== null && (
            <div className="note warn" role="status">
              <strong>{o('act.asked')}</strong>
              <p>{o('act.asked_text', { id: approval })}</p>
            </div>
          )}
          {problem !== null &&
            (isStepUp(problem) ? (
              <StepUp problem={problem} onLeave={() => sessionStorage.setItem(DRAFT + name, reason)} />
            ) : (
              <ProblemNote title={o('act.failed')} error={problem} />
            ))}
        </div>
        <div className="dialog-acts">
          <button type="button" className="button" data-autofocus onClick={close}>
            {o('act.keep')}
          </button>
          <button type="submit" className={danger ? 'button danger' : 'button primary'} disabled={busy}>
            {approval === null ? act : o('act.after_approval')}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

/** The person signs in once more, and comes back to the page and what they wrote. */
function StepUp({ problem, onLeave }: { readonly problem: ApiProblem; readonly onLeave: () => void }) {
  const { o } = useOperatorWords();
  const [failed, setFailed] = useState<unknown>(null);
  const begin = async () => {
    try {
      onLeave();
      location.assign(await beginSession(location.pathname + location.search));
    } catch (error) {
      setFailed(error);
    }
  };
  return (
    <>
      <div className="note warn" role="alert">
        <strong>{o('act.fresh')}</strong>
        <p>{o(problem.details.reason === 'second_factor' ? 'act.second_factor_text' : 'act.fresh_text')}</p>
      </div>
      {failed !== null && <ProblemNote title={o('act.failed')} error={failed} />}
      <button type="button" className="button primary" onClick={() => void begin()}>
        {o('act.fresh')}
      </button>
    </>
  );
}

function isStepUp(error: unknown): error is ApiProblem {
  return error instanceof ApiProblem && error.code === 'STEP_UP_REQUIRED';
}

/** The approval that a call waits for; null where it failed otherwise. */
function approvalAskedBy(error: unknown): string | null {
  if (!(error instanceof ApiProblem) || error.details.reason !== 'approval_required') return null;
  return typeof error.details.approval === 'string' ? error.details.approval : null;
}
