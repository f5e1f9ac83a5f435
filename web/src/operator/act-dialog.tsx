import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { ApiProblem } from '../api/api-problem.ts';
import { sendOnce } from '../api/send-once.ts';
import { announce } from '../parts/announce.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Field } from '../parts/field.tsx';
import { ProblemNote } from '../parts/read-block.tsx';
import { SignInAgain } from '../parts/sign-in-again.tsx';
import { type ActOutcome, approvalAskedBy, askedBefore, outcomeOf } from './act-state.ts';
import { ApprovalLink } from './parts/links.tsx';
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

/** What `useFormDraft` gives. */
interface ActDraft {
  readonly start: Readonly<Record<string, string>>;
  readonly form: Readonly<Record<string, string>>;
  readonly keep: () => void;
  readonly forget: () => void;
}

interface ActDialogProps {
  /** Names the act and its object, and nothing that is typed: what was written is kept under it while its person signs in once more, or another operator is asked. */
  readonly name: string;
  /** Its fields beside the reason. With other ones it is another call. */
  readonly draft?: ActDraft;
  readonly title: string;
  /** What it does, with its number. */
  readonly act: string;
  readonly danger?: boolean;
  /** Another field keeps it from being sent. */
  readonly blocked?: boolean;
  /** Its call takes no reason: none is asked for. */
  readonly unreasoned?: boolean;
  /** What it was opened for is no longer so: it says that, and cannot be sent. */
  readonly changed?: boolean;
  readonly onClose: () => void;
  /** What is said when it is done, and the dialog closes; or what has come of it that mended nothing, and the dialog stays. Throws what the API refuses. */
  readonly send: (reason: string, headers: ActHeaders) => Promise<string | { readonly stays: string }>;
  /** What is written in place of a reason, such as words for the public. */
  readonly asks?: {
    readonly label: string;
    readonly hint: string;
    readonly missing?: string;
    readonly lengthMax?: number;
  };
  /** What it will do, in numbers. */
  readonly children: ReactNode;
}

/** An act of an operator: what will happen, why, and then it happens, after a fresh factor and a second operator where the API asks for them. */
export function ActDialog({
  name,
  draft,
  title,
  act,
  danger = false,
  blocked = false,
  unreasoned = false,
  changed = false,
  onClose,
  send,
  asks,
  children,
}: ActDialogProps) {
  const { o } = useOperatorWords();
  const queries = useQueryClient();
  const [reason, setReason] = useState(sessionStorage.getItem(DRAFT + name) ?? '');
  const [asked, setAsked] = useState(() => askedBefore(sessionStorage.getItem(APPROVAL + name)));
  const [isMissing, setMissing] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [busy, setBusy] = useState(false);
  const isUnknown = failure?.outcome === 'unknown';
  const lengthMax = asks?.lengthMax ?? REASON_LENGTH_MAX;
  const isTooLong = reason.trim().length > lengthMax;
  const lacking = isMissing ? (asks?.missing ?? o('act.reason_missing')) : null;
  const call = JSON.stringify([draft?.start, draft?.form, reason.trim()]);
  // In other words, or with other fields, it is another call, which nobody has approved.
  const approval = asked?.call === call ? asked.approval : null;
  const keep = () => {
    sessionStorage.setItem(DRAFT + name, reason);
    draft?.keep();
  };
  const forget = () => {
    for (const kept of [DRAFT, APPROVAL]) sessionStorage.removeItem(kept + name);
    draft?.forget();
  };
  const close = () => {
    // What waits for another operator, is under way, or may be done, is asked again in the same words. What does not hold any more is begun anew.
    if (busy || isUnknown || (approval !== null && !changed)) keep();
    else forget();
    onClose();
  };
  const askAgain = () => {
    sessionStorage.removeItem(APPROVAL + name);
    setAsked(null);
    setFailure(null);
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const why = reason.trim();
    const lacksReason = why === '' && !unreasoned;
    setMissing(lacksReason);
    if (lacksReason || isTooLong || blocked || (changed && !isUnknown)) return;
    setBusy(true);
    let mayBeDone = isUnknown;
    try {
      const said = await sendOnce(`${name} ${call} ${approval ?? ''}`, async (key) => {
        try {
          return await send(why, {
            'Idempotency-Key': key,
            ...(approval === null ? {} : { 'X-Operator-Approval': approval }),
          });
        } catch (error) {
          mayBeDone ||= outcomeOf(error, false) === 'unknown';
          throw error;
        }
      });
      askAgain();
      if (typeof said === 'string') {
        announce(said);
        forget();
        onClose();
      } else announce(said.stays, 'assertive');
    } catch (error) {
      const outcome = outcomeOf(error, mayBeDone);
      const waits = approvalAskedBy(error);
      if (waits !== null) {
        const now = { approval: waits, call };
        sessionStorage.setItem(APPROVAL + name, JSON.stringify(now));
        keep();
        setAsked(now);
      }
      setFailure(waits === null ? { outcome, error } : null);
    } finally {
      setBusy(false);
      await queries.invalidateQueries({ queryKey: ['operator'] });
    }
  };
  return (
    <Dialog title={title} opened onClose={close}>
      <form onSubmit={(event) => void submit(event)} noValidate>
        <div className="dialog-body stack">
          {/* While it is not known what became of it, only the very same call is sent again. */}
          <fieldset className="contents" disabled={busy || isUnknown}>
            {children}
          </fieldset>
          {!unreasoned && (
            <Field
              label={asks?.label ?? o('act.reason')}
              hint={asks?.hint ?? o('act.reason_hint')}
              error={isTooLong ? o('act.too_long', { max: String(lengthMax) }) : lacking}
            >
              {({ id, describedBy, invalid }) => (
                <textarea
                  id={id}
                  name="reason"
                  className="input"
                  rows={3}
                  aria-describedby={describedBy}
                  aria-invalid={invalid}
                  value={reason}
                  readOnly={busy || isUnknown}
                  onChange={(event) => setReason(event.target.value)}
                />
              )}
            </Field>
          )}
          {approval !== null && (
            <div className="note warn" role="status">
              <strong>{o('act.asked')}</strong>
              <p>{o('act.asked_text', { id: approval })}</p>
              <p>
                <ApprovalLink id={approval}>{o('act.to_approval')}</ApprovalLink>
              </p>
            </div>
          )}
          {changed && !busy && !isUnknown && (
            <div className="note warn" role="alert">
              <strong>{o('act.changed')}</strong>
              <p>{o('act.changed_text')}</p>
            </div>
          )}
          {failure !== null && <Failed failure={failure} onAskAgain={askAgain} onLeave={keep} />}
        </div>
        <div className="dialog-acts">
          <button type="button" className="button" data-autofocus onClick={close}>
            {o('act.keep')}
          </button>
          <button
            type="submit"
            className={danger ? 'button danger' : 'button primary'}
            disabled={busy || (changed && !isUnknown)}
          >
            {approval === null ? act : o('act.after_approval')}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

interface Failure {
  readonly outcome: ActOutcome;
  readonly error: unknown;
}

interface FailedProps {
  readonly failure: Failure;
  readonly onAskAgain: () => void;
  readonly onLeave: () => void;
}

/** What an act has come to that was not answered by success, and what to do. */
function Failed({ failure: { outcome, error }, onAskAgain, onLeave }: FailedProps) {
  const { o } = useOperatorWords();
  if (outcome === 'step_up') return <StepUp problem={error as ApiProblem} onLeave={onLeave} />;
  if (outcome === 'unknown')
    return (
      <div className="note warn" role="alert">
        <strong>{o('act.unknown')}</strong>
        <p>{o('act.unknown_text')}</p>
      </div>
    );
  return (
    <>
      <ProblemNote title={o('act.failed')} error={error} />
      {outcome === 'not_approved' && (
        <>
          <p className="small">{o('act.not_approved_text')}</p>
          <button type="button" className="button" onClick={onAskAgain}>
            {o('act.ask_again')}
          </button>
        </>
      )}
    </>
  );
}

/** The person signs in once more, and comes back to the page and what they wrote. */
export function StepUp({ problem, onLeave }: { readonly problem: ApiProblem; readonly onLeave?: () => void }) {
  const { o } = useOperatorWords();
  return (
    <SignInAgain
      title={o('act.fresh')}
      text={o(problem.details.reason === 'second_factor' ? 'act.second_factor_text' : 'act.fresh_text')}
      act={o('act.fresh')}
      failed={o('act.failed')}
      onLeave={onLeave}
    />
  );
}
