import { useState } from 'react';
import { dataOf, exchange } from '../../api/client.ts';
import { FactList } from '../../parts/panel.tsx';
import { useSession } from '../../session/session.ts';
import { ActDialog } from '../act-dialog.tsx';
import type { UserDetail } from '../queue-queries.ts';
import { useOperatorWords } from '../use-operator-words.ts';
import { ChangeRoles } from './change-roles.tsx';
import { KillSwitch } from './kill-switch.tsx';
import { whatEnds } from './role-words.ts';

/** Deactivating, reactivating and the kill switch of somebody, for who may. Nobody does it to themselves here. */
export function PersonActs({ user }: { readonly user: UserDetail }) {
  const { o, t, exact } = useOperatorWords();
  const session = useSession();
  const [asked, setAsked] = useState<'deactivate' | 'reactivate' | null>(null);
  const [changesRoles, setChangesRoles] = useState(false);
  const powers = session?.powers ?? [];
  if (session?.user_id === user.userId) return null;
  const act = user.deactivatedAt === null ? 'deactivate' : 'reactivate';
  const { sessions, keys, orders, markets } = whatEnds(user);
  return (
    <div className="row">
      {powers.includes('run_venue') && !user.service && (
        <button type="button" className="button" onClick={() => setChangesRoles(true)}>
          {o('roles.act')}
        </button>
      )}
      {powers.includes('run_venue') && (
        <button type="button" className="button" onClick={() => setAsked(act)}>
          {o(`person_act.${act}`)}
        </button>
      )}
      {powers.includes('manage_credentials') && user.deactivatedAt === null && <KillSwitch user={user} />}
      {changesRoles && <ChangeRoles user={user} onClose={() => setChangesRoles(false)} />}
      {asked !== null && (
        <ActDialog
          title={o(`person_ask.${asked}`, { name: user.name })}
          act={o(`person_act.${asked}`)}
          name={`${asked} ${user.userId}`}
          danger={asked === 'deactivate'}
          changed={asked !== act}
          onClose={() => setAsked(null)}
          send={async (reason, header) => {
            const call = { params: { path: { id: user.userId }, header }, body: { reason } };
            await (asked === 'deactivate'
              ? dataOf(exchange.POST('/v1/operator/users/{id}/deactivate', call))
              : dataOf(exchange.POST('/v1/operator/users/{id}/reactivate', call)));
            return o(`person_said.${asked}`, { name: user.name });
          }}
        >
          <p>{o(`person_happens.${asked}`)}</p>
          {asked === 'deactivate' && (
            <FactList
              rows={[
                [o('person.sessions'), sessions === null ? '–' : exact(String(sessions))],
                [t('keys.title'), keys === null ? '–' : exact(String(keys))],
                [o('account.cancels'), exact(String(orders))],
                [o('account.in_markets'), exact(String(markets))],
              ]}
            />
          )}
        </ActDialog>
      )}
    </div>
  );
}
