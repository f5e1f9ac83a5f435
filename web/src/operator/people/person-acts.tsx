import { useState } from 'react';
import { dataOf, exchange } from '../../api/client.ts';
import { FactList } from '../../parts/panel.tsx';
import { useSession } from '../../session/session.ts';
import { useWords } from '../../texts/words.tsx';
import { ActDialog } from '../parts/act-dialog.tsx';
import type { UserDetail } from '../queue-queries.ts';
import { KillSwitch } from './kill-switch.tsx';
import { whatEnds } from './role-words.ts';

/** Deactivating, reactivating and the kill switch of somebody, for who may. Nobody does it to themselves here. */
export function PersonActs({ user }: { readonly user: UserDetail }) {
  const { t, exact } = useWords();
  const session = useSession();
  const [asks, setAsks] = useState(false);
  const powers = session?.powers ?? [];
  if (session?.user_id === user.userId) return null;
  const act = user.deactivatedAt === null ? 'deactivate' : 'reactivate';
  const { sessions, keys, orders, markets } = whatEnds(user);
  return (
    <div className="row">
      {powers.includes('run_venue') && (
        <button type="button" className="button" onClick={() => setAsks(true)}>
          {t(`person_act.${act}`)}
        </button>
      )}
      {powers.includes('manage_credentials') && user.deactivatedAt === null && <KillSwitch user={user} />}
      {asks && (
        <ActDialog
          title={t(`person_ask.${act}`, { name: user.name })}
          act={t(`person_act.${act}`)}
          failed={t('person.not_changed')}
          said={t(`person_said.${act}`, { name: user.name })}
          name={`${act} ${user.userId}`}
          danger={act === 'deactivate'}
          onClose={() => setAsks(false)}
          send={(reason, key) => {
            const call = {
              params: { path: { id: user.userId }, header: { 'Idempotency-Key': key } },
              body: { reason },
            };
            return act === 'deactivate'
              ? dataOf(exchange.POST('/v1/operator/users/{id}/deactivate', call))
              : dataOf(exchange.POST('/v1/operator/users/{id}/reactivate', call));
          }}
        >
          <p>{t(`person_happens.${act}`)}</p>
          {act === 'deactivate' && (
            <FactList
              rows={[
                [t('person.sessions'), sessions === null ? '–' : exact(String(sessions))],
                [t('keys.title'), keys === null ? '–' : exact(String(keys))],
                [t('account.cancels'), exact(String(orders))],
                [t('account.in_markets'), exact(String(markets))],
              ]}
            />
          )}
        </ActDialog>
      )}
    </div>
  );
}
