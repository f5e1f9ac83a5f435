import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { dataOf, iam } from '../../api/client.ts';
import { announce } from '../../parts/announce.tsx';
import { ConfirmDialog } from '../../parts/dialog.tsx';
import { Field } from '../../parts/field.tsx';
import { FactList } from '../../parts/panel.tsx';
import { useWords } from '../../texts/words.tsx';
import { ActProblem } from '../parts/act-problem.tsx';
import { OPERATOR_KEY, type UserDetail } from '../queue-queries.ts';
import { whatEnds } from './role-words.ts';

/** Ends everything of somebody at once. Its route takes no reason; who pulled it stands in the trail. Pulled twice, it ends what is left. */
export function KillSwitch({ user }: { readonly user: UserDetail }) {
  const { t, exact, count } = useWords();
  const queries = useQueryClient();
  const [asks, setAsks] = useState(false);
  const [typed, setTyped] = useState('');
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<unknown>(null);
  const { sessions, keys, orders, markets } = whatEnds(user);
  const word = t('kill.word');
  const isMeant = typed.trim().toLowerCase() === word;
  const pull = async () => {
    setBusy(true);
    setProblem(null);
    try {
      const { data } = await dataOf(iam.POST('/v1/users/{id}/kill-switch', { params: { path: { id: user.userId } } }));
      announce(count('kill.said', data.cancelledOrderIds.length, { keys: data.revokedKeyIds.length }));
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
        {t('kill.title')}
      </button>
      <ConfirmDialog
        title={t('kill.ask', { name: user.name })}
        opened={asks}
        onClose={() => setAsks(false)}
        onConfirm={() => void (isMeant && pull())}
        act={t('kill.do')}
        keep={t('act.leave')}
        danger
        busy={busy || !isMeant}
      >
        <FactList
          rows={[
            [t('person.sessions'), sessions === null ? '–' : exact(String(sessions))],
            [t('keys.title'), keys === null ? '–' : exact(String(keys))],
            [t('account.cancels'), exact(String(orders))],
            [t('account.in_markets'), exact(String(markets))],
          ]}
        />
        <p>{t('kill.text')}</p>
        <Field label={t('kill.type', { word })}>
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
        {problem !== null && <ActProblem title={t('person.not_changed')} error={problem} />}
      </ConfirmDialog>
    </>
  );
}
