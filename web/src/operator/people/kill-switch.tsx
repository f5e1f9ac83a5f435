import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { dataOf, iam } from '../../api/client.ts';
import { announce } from '../../parts/announce.tsx';
import { ConfirmDialog } from '../../parts/dialog.tsx';
import { Field } from '../../parts/field.tsx';
import { FactList } from '../../parts/panel.tsx';
import { ActProblem } from '../parts/act-problem.tsx';
import { OPERATOR_KEY, type UserDetail } from '../queue-queries.ts';
import { useOperatorWords } from '../use-operator-words.ts';
import { whatEnds } from './role-words.ts';

/** Ends everything of somebody at once. Its route takes no reason; who pulled it stands in the trail. Pulled twice, it ends what is left. */
export function KillSwitch({ user }: { readonly user: UserDetail }) {
  const { o, t, many, exact } = useOperatorWords();
  const queries = useQueryClient();
  const [asks, setAsks] = useState(false);
  const [typed, setTyped] = useState('');
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<unknown>(null);
  const { sessions, keys, orders, markets } = whatEnds(user);
  const word = o('kill.word');
  const isMeant = typed.trim().toLowerCase() === word;
  const pull = async () => {
    setBusy(true);
    setProblem(null);
    try {
      const { data } = await dataOf(iam.POST('/v1/users/{id}/kill-switch', { params: { path: { id: user.userId } } }));
      announce(many('kill.said', data.cancelledOrderIds.length, { keys: data.revokedKeyIds.length }));
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
      <button type="button" className="button danger" onClick={() => setAsks(true)}>
        {o('kill.title')}
      </button>
      <ConfirmDialog
        title={o('kill.ask', { name: user.name })}
        opened={asks}
        onClose={() => setAsks(false)}
        onConfirm={() => void (isMeant && pull())}
        act={o('kill.do')}
        keep={o('act.leave')}
        danger
        busy={busy || !isMeant}
      >
        <FactList
          rows={[
            [o('person.sessions'), sessions === null ? '–' : exact(String(sessions))],
            [t('keys.title'), keys === null ? '–' : exact(String(keys))],
            [o('account.cancels'), exact(String(orders))],
            [o('account.in_markets'), exact(String(markets))],
          ]}
        />
        <p>{o('kill.text')}</p>
        <Field label={o('kill.type', { word })}>
          {({ id }) => (
            <input
              id={id}
              className="input"
              autoComplete="off"
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
            />
          )}
        </Field>
        {problem !== null && <ActProblem title={o('person.not_changed')} error={problem} />}
      </ConfirmDialog>
    </>
  );
}
