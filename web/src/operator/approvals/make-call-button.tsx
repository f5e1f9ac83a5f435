import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { sendOnce } from '../../api/send-once.ts';
import { announce } from '../../parts/announce.tsx';
import { ConfirmDialog } from '../../parts/dialog.tsx';
import { ActProblem } from '../parts/act-problem.tsx';
import { type Approval, OPERATOR_KEY } from '../queue-queries.ts';
import { useOperatorWords } from '../use-operator-words.ts';
import { makeApprovedCall } from './make-call.ts';

interface MakeCallProps {
  readonly approval: Approval;
  readonly title: string;
}

/** What another operator has approved is done by whoever asked for it, once. */
export function MakeCall({ approval, title }: MakeCallProps) {
  const { o } = useOperatorWords();
  const queries = useQueryClient();
  const [asks, setAsks] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<unknown>(null);
  const make = async () => {
    setBusy(true);
    setProblem(null);
    try {
      await sendOnce(`make ${approval.id}`, (key) => makeApprovedCall(approval.id, key));
      announce(o('approval.made_said'));
      setAsks(false);
    } catch (error) {
      setProblem(error);
    } finally {
      setBusy(false);
      await queries.invalidateQueries({ queryKey: OPERATOR_KEY });
    }
  };
  return (
    <>
      <button type="button" className="button primary" onClick={() => setAsks(true)}>
        {o('approval.make')}
      </button>
      <ConfirmDialog
        title={o('approval.make_ask')}
        opened={asks}
        onClose={() => setAsks(false)}
        onConfirm={() => void make()}
        act={o('approval.make')}
        keep={o('act.leave')}
        busy={busy}
      >
        <p className="strong">{title}</p>
        <p>{o('approval.make_text')}</p>
        {problem !== null && <ActProblem title={o('approval.not_made')} error={problem} />}
      </ConfirmDialog>
    </>
  );
}
