import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { dataOf, iam } from '../../api/client.ts';
import { announce } from '../../parts/announce.tsx';
import { ConfirmDialog } from '../../parts/dialog.tsx';
import { ActProblem } from '../parts/act-problem.tsx';
import { OPERATOR_KEY } from '../queue-queries.ts';
import { useOperatorWords } from '../use-operator-words.ts';

interface EndCredentialProps {
  readonly kind: 'session' | 'key';
  readonly id: string;
  /** Of the device, or of the key. */
  readonly name: string;
}

/** Ends one session or one key of somebody. Its route takes no reason; asked again, it is ended already. */
export function EndCredential({ kind, id, name }: EndCredentialProps) {
  const { o } = useOperatorWords();
  const queries = useQueryClient();
  const [asks, setAsks] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<unknown>(null);
  const end = async () => {
    setBusy(true);
    setProblem(null);
    try {
      const params = { path: { id } };
      await (kind === 'session'
        ? dataOf(iam.DELETE('/v1/sessions/{id}', { params }))
        : dataOf(iam.DELETE('/v1/keys/{id}', { params })));
      announce(o(`end_${kind}.said`, { name }));
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
      <button type="button" className="button small-button" onClick={() => setAsks(true)}>
        {o(`end_${kind}.act`)}
        <span className="hidden-text"> {name}</span>
      </button>
      <ConfirmDialog
        title={o(`end_${kind}.ask`, { name })}
        opened={asks}
        onClose={() => setAsks(false)}
        onConfirm={() => void end()}
        act={o(`end_${kind}.act`)}
        keep={o('act.leave')}
        danger
        busy={busy}
      >
        <p>{o(`end_${kind}.happens`)}</p>
        {problem !== null && <ActProblem title={o('act.failed')} error={problem} />}
      </ConfirmDialog>
    </>
  );
}
