import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type FormEvent, useEffect, useState } from 'react';
import { CopyText } from '../../parts/copy-text.tsx';
import { FactList, Panel } from '../../parts/panel.tsx';
import { Empty, ReadBlock } from '../../parts/read-block.tsx';
import { usePageTitle } from '../../parts/use-page-title.ts';
import { useSession } from '../../session/session.ts';
import { type Found, foundQuery } from '../desk-queries.ts';
import { AccountLink, PersonLink } from '../parts/links.tsx';
import { TextField } from '../parts/text-field.tsx';
import { TrailPanel } from '../parts/trail-panel.tsx';
import { useOperatorWords } from '../use-operator-words.ts';
import { placeOf } from './found-words.ts';

const route = getRouteApi('/own/venue/operator/search');

/** One box for every id: what has it, and the way there. */
export function SearchPage() {
  const { o, t } = useOperatorWords();
  const { id: named = '' } = route.useSearch();
  const id = named === '' ? undefined : named;
  const navigate = route.useNavigate();
  const [typed, setTyped] = useState(id ?? '');
  usePageTitle(t('find.title'));
  // Another address, as by a link or the way back, is another id.
  useEffect(() => setTyped(id ?? ''), [id]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const wanted = typed.trim();
    void navigate({ search: wanted === '' ? {} : { id: wanted } });
  };
  return (
    <div className="page mid">
      <div className="page-head">
        <div>
          <h1>{t('find.title')}</h1>
          <p className="lede">{o('find.lede')}</p>
        </div>
      </div>
      <div className="stack">
        <form className="panel pad by-id" onSubmit={submit}>
          <TextField label={o('find.label')} name="id" value={typed} onChange={setTyped} />
          <button type="submit" className="button primary">
            {o('find.act')}
          </button>
        </form>
        {id !== undefined && <Results id={id} />}
      </div>
    </div>
  );
}

function Results({ id }: { readonly id: string }) {
  const { o } = useOperatorWords();
  const session = useSession();
  const query = useQuery(foundQuery(id));
  const seesTrail = session?.powers.includes('see_accounts') === true;
  return (
    <>
      <ReadBlock query={query} failed={o('find.failed')} rows={4}>
        {(found) =>
          found.length === 0 ? (
            <section className="panel">
              <Empty title={o('find.none')} text={o('find.none_text')} />
            </section>
          ) : (
            <div className="stack">
              {found.map((one) => (
                <OneFound key={`${one.kind} ${one.id}`} found={one} />
              ))}
            </div>
          )
        }
      </ReadBlock>
      {seesTrail && query.data?.[0] !== undefined && <TrailPanel subject={query.data[0].id} />}
    </>
  );
}

function OneFound({ found }: { readonly found: Found }) {
  const { o, t, exact, price, dateTime } = useOperatorWords();
  const { kind, state, side, symbol } = found;
  const place = placeOf(found);
  const isTwoSided = kind === 'trade' || kind === 'settlement';
  return (
    <Panel
      title={o(`found.${kind}`)}
      padded
      aside={
        place !== null && (
          <Link {...place} className="button small-button primary">
            {o('find.open')}
          </Link>
        )
      }
    >
      <FactList
        rows={[
          [o('found.id'), <CopyText key="id" text={found.id} />],
          found.name === null ? null : [t('column.name'), found.name],
          state === null ? null : [t('column.state'), state],
          found.organization === null ? null : [o('column.organization'), found.organization],
          found.accountId === null
            ? null
            : [o(isTwoSided ? 'found.buyer' : 'column.account'), <AccountLink key="a" id={found.accountId} />],
          found.otherAccountId === null ? null : [o('found.seller'), <AccountLink key="b" id={found.otherAccountId} />],
          found.userId === null ? null : [o('column.person'), <PersonLink key="p" id={found.userId} />],
          symbol === null ? null : [t(symbol.includes('-') ? 'column.market' : 'column.asset'), symbol],
          side === null ? null : [t('column.side'), t(side === 'buy' ? 'side.buy' : 'side.sell')],
          found.quantity === null ? null : [t('column.quantity'), exact(found.quantity)],
          found.filled === null ? null : [t('column.filled'), exact(found.filled)],
          found.price === null ? null : [t('column.price'), price(found.price)],
          found.timestamp === null ? null : [t('column.time'), dateTime(found.timestamp)],
        ]}
      />
      {state === 'archived' && <p className="small dim">{o('found.archived')}</p>}
    </Panel>
  );
}
