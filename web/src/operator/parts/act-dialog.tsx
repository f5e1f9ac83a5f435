import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { sendOnce } from '../../api/send-once.ts';
import { announce } from '../../parts/announce.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Field } from '../../parts/field.tsx';
import { useWords } from '../../texts/words.tsx';
import { OPERATOR_KEY } from '../queue-queries.ts';
import { ActProblem } from './act-problem.tsx';

const REASON_LENGTH_MAX = 500;

interface ActDialogProps {
  readonly title: string;
  /** What it does, as its button says it. */
  readonly act: string;
  readonly failed: string;
  /** Said when it is done. */
  readonly said: string;
  /** Names this act of this object, so that it is done once. */
  readonly name: string;
  readonly danger?: boolean;
  readonly reasonHint?: string;
  /** Something is still missing, beside the reason. */
  readonly isIncomplete?: boolean;
  /** What will happen, in numbers. */
  readonly children: ReactNode;
  readonly send: (reason: string, key: string) => Promise<unknown>;
  readonly onClose: () => void;
}

/** An act of an operator: what will happen, why, and then its button. */
export function ActDialog({
  title,
  act,
  failed,
  said,
  name,
  danger = false,
  reasonHint,
  isIncomplete = false,
  children,
  send,
  onClose,
}: ActDialogProps) {
  const { t } = useWords();
  const queries = useQueryClient();
  const [reason, setReason] = useState('');
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<unknown>(null);
  const why = reason.trim();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (why === '' || isIncomplete) return;
    setBusy(true);
    setProblem(null);
    try {
      await sendOnce(`${name} ${why}`, (key) => send(why, key));
      announce(said);
      onClose();
    } catch (error) {
      setProblem(error);
    } finally {
      setBusy(false);
      await queries.invalidateQueries({ queryKey: OPERATOR_KEY });
    }
  };
  return (
    <Dialog title={title} opened onClose={onClose}>
      <form onSubmit={(event) => void submit(event)}>
        <div className="dialog-body stack">
          {children}
          <Field label={t('act.reason')} hint={reasonHint ?? t('act.reason_hint')}>
            {({ id, describedBy }) => (
              <textarea
                id={id}
                className="input"
                data-autofocus
                rows={3}
                maxLength={REASON_LENGTH_MAX}
                required
                aria-describedby={describedBy}
                value={reason}
                onChange={(event) => setReason(event.target.value)}
              />
            )}
          </Field>
          {problem !== null && <ActProblem title={failed} error={problem} />}
        </div>
        <div className="dialog-acts">
          <button type="button" className="button" onClick={onClose}>
            {t('act.leave')}
          </button>
          <button
            type="submit"
            className={danger ? 'button danger' : 'button primary'}
            disabled={busy || why === '' || isIncomplete}
          >
            {act}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
