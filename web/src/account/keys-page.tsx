import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { dataOf, iam } from '../api/client.ts';
import { type ApiKey, keysQuery } from '../api/queries.ts';
import { announce } from '../parts/announce.tsx';
import { CopyText } from '../parts/copy-text.tsx';
import { ConfirmDialog, Dialog } from '../parts/dialog.tsx';
import { Field } from '../parts/field.tsx';
import { FactList, State } from '../parts/panel.tsx';
import { Empty, ProblemNote, ReadBlock } from '../parts/read-block.tsx';
import { usePageTitle } from '../parts/use-page-title.ts';
import { useWords } from '../texts/words.tsx';

export function KeysPage() {
  const { t, count } = useWords();
  const query = useQuery(keysQuery);
  const [isMaking, setMaking] = useState(false);
  usePageTitle(t('keys.title'));
  const active = (query.data ?? []).filter(({ status }) => status === 'active').length;
  return (
    <div className="page mid">
      <p className="crumb">
        <Link to="/account">{t('place.account')}</Link>
      </p>
      <div className="page-head">
        <div>
          <h1>{query.data === undefined ? t('keys.title') : count('keys.count', active)}</h1>
          <p className="lede">{t('keys.lede')}</p>
        </div>
        <button type="button" className="button primary" onClick={() => setMaking(true)}>
          {t('keys.make')}
        </button>
      </div>
      <section className="panel">
        <ReadBlock query={query} failed={t('keys.failed')} rows={4}>
          {(keys) =>
            keys.length === 0 ? <Empty title={t('keys.none')} text={t('keys.none_text')} /> : <KeyTable keys={keys} />
          }
        </ReadBlock>
      </section>
      {isMaking && <MakeKey onClose={() => setMaking(false)} />}
    </div>
  );
}

function KeyTable({ keys }: { readonly keys: readonly ApiKey[] }) {
  const { t, date, exact } = useWords();
  const queries = useQueryClient();
  const [asked, setAsked] = useState<ApiKey | null>(null);
  const [problem, setProblem] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const revoke = async (key: ApiKey) => {
    setBusy(true);
    setProblem(null);
    try {
      await dataOf(iam.DELETE('/v1/keys/{id}', { params: { path: { id: key.id } } }));
      announce(t('keys.revoked_said', { name: key.name }));
      setAsked(null);
    } catch (error) {
      setProblem(error);
    } finally {
      setBusy(false);
      await queries.invalidateQueries({ queryKey: ['own', 'keys'] });
    }
  };
  return (
    <>
      <div className="scroll">
        <table className="table roomy">
          <caption className="hidden-text">{t('keys.title')}</caption>
          <thead>
            <tr>
              <th>{t('keys.name')}</th>
              <th>{t('keys.scopes')}</th>
              <th className="less">{t('keys.limits')}</th>
              <th className="less">{t('keys.made')}</th>
              <th className="less">{t('keys.used')}</th>
              <th>{t('column.state')}</th>
              <th>
                <span className="hidden-text">{t('column.acts')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {keys.map((key) => (
              <tr key={key.id}>
                <td>
                  <span className="strong">{key.name}</span>
                  <small>
                    <CopyText text={key.id} shown={key.id.length > 16 ? `…${key.id.slice(-8)}` : key.id} />
                  </small>
                </td>
                <td>{key.scopes.map((scope) => t(scope === 'trade' ? 'keys.trade' : 'keys.read')).join(', ')}</td>
                <td className="less">
                  {key.dailyNotionalMax === null
                    ? t('keys.no_limit')
                    : t('keys.notional', { amount: exact(key.dailyNotionalMax) })}
                </td>
                <td className="less">{date(key.createdAt)}</td>
                <td className="less">{key.lastUsedOn === null ? t('keys.never') : date(key.lastUsedOn)}</td>
                <td>
                  <State tone={key.status === 'active' ? 'ok' : 'none'}>
                    {t(key.status === 'active' ? 'keys.active' : 'keys.ended')}
                  </State>
                </td>
                <td className="right">
                  {key.status === 'active' && (
                    <button type="button" className="link danger" onClick={() => setAsked(key)}>
                      {t('keys.revoke')}
                      <span className="hidden-text"> {key.name}</span>
                    </button>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {asked !== null && (
        <ConfirmDialog
          title={t('keys.revoke_title', { name: asked.name })}
          opened
          onClose={() => setAsked(null)}
          onConfirm={() => void revoke(asked)}
          act={t('keys.revoke_act')}
          keep={t('keys.keep')}
          danger
          busy={busy}
        >
          <FactList
            rows={[
              [
                t('keys.scopes'),
                asked.scopes.map((scope) => t(scope === 'trade' ? 'keys.trade' : 'keys.read')).join(', '),
              ],
              [t('keys.used'), asked.lastUsedOn === null ? t('keys.never') : date(asked.lastUsedOn)],
            ]}
          />
          <p className="dim small">{t('keys.revoke_text')}</p>
          {problem !== null && <ProblemNote title={t('keys.not_revoked')} error={problem} />}
        </ConfirmDialog>
      )}
    </>
  );
}

interface Made {
  readonly id: string;
  readonly secret: string;
}

function MakeKey({ onClose }: { readonly onClose: () => void }) {
  const { t } = useWords();
  const queries = useQueryClient();
  const [name, setName] = useState('');
  const [mayTrade, setMayTrade] = useState(false);
  const [addresses, setAddresses] = useState('');
  const [problem, setProblem] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const [made, setMade] = useState<Made | null>(null);
  const make = async (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() === '') return;
    setBusy(true);
    setProblem(null);
    const list = addresses.split(/[\s,]+/).filter((address) => address !== '');
    try {
      const { data } = await dataOf(
        iam.POST('/v1/keys', {
          body: {
            name: name.trim(),
            scopes: mayTrade ? ['read', 'trade'] : ['read'],
            ipAllowlist: list.length === 0 ? null : list,
          } as never,
        }),
      );
      setMade({ id: data.id, secret: data.secret });
    } catch (error) {
      setProblem(error);
    } finally {
      setBusy(false);
      await queries.invalidateQueries({ queryKey: ['own', 'keys'] });
    }
  };
  if (made !== null) {
    return (
      <Dialog title={t('keys.made_title')} opened onClose={onClose}>
        <div className="dialog-body stack">
          <p className="note warn">{t('keys.once')}</p>
          <FactList
            rows={[
              [t('keys.id'), <CopyText key="id" text={made.id} />],
              [t('keys.secret'), <CopyText key="secret" text={made.secret} />],
            ]}
          />
        </div>
        <div className="dialog-acts">
          <button type="button" className="button primary" onClick={onClose}>
            {t('keys.kept')}
          </button>
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog title={t('keys.make')} opened onClose={onClose}>
      <form onSubmit={(event) => void make(event)}>
        <div className="dialog-body stack">
          <Field label={t('keys.name')} hint={t('keys.name_hint')}>
            {({ id, describedBy }) => (
              <input
                id={id}
                className="input"
                data-autofocus
                maxLength={100}
                required
                aria-describedby={describedBy}
                value={name}
                onChange={(event) => setName(event.target.value)}
              />
            )}
          </Field>
          <label className="check">
            <input type="checkbox" checked={mayTrade} onChange={(event) => setMayTrade(event.target.checked)} />{' '}
            {t('keys.may_trade')}
          </label>
          <Field label={t('keys.addresses')} hint={t('keys.addresses_hint')}>
            {({ id, describedBy }) => (
              <input
                id={id}
                className="input"
                aria-describedby={describedBy}
                value={addresses}
                onChange={(event) => setAddresses(event.target.value)}
              />
            )}
          </Field>
          {problem !== null && <ProblemNote title={t('keys.not_made')} error={problem} />}
        </div>
        <div className="dialog-acts">
          <button type="button" className="button" onClick={onClose}>
            {t('order.leave')}
          </button>
          <button type="submit" className="button primary" disabled={busy || name.trim() === ''}>
            {t('keys.make')}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
