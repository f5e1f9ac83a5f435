import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { CopyText } from '../../parts/copy-text.tsx';
import { FactList, Panel } from '../../parts/panel.tsx';
import { Empty } from '../../parts/read-block.tsx';
import { useSession } from '../../session/session.ts';
import { mayRunVenue } from '../may-see.ts';
import { AccountLink, PersonLink, UserLink } from '../parts/links.tsx';
import { ObjectPage } from '../parts/object-page.tsx';
import { TrailPanel } from '../parts/trail-panel.tsx';
import { useOperatorWords } from '../use-operator-words.ts';
import { ActOnCase } from './act-on-case.tsx';
import { caseQuery, type SurveillanceCase } from './case-queries.ts';
import { actsOf, type CaseAct, numberLabel, numberShown, relationLabel } from './case-words.ts';
import { CaseState } from './cases-page.tsx';
import { OrdersOfCase, TradesOfCase } from './evidence-tables.tsx';

const route = getRouteApi('/own/venue/operator/surveillance/$caseId');

export function CasePage() {
  const { o, t } = useOperatorWords();
  const { caseId } = route.useParams();
  const query = useQuery(caseQuery(caseId));
  return (
    <ObjectPage
      title={t('surveillance.case')}
      list={<Link to="/operator/surveillance">{t('surveillance.title')}</Link>}
      query={query}
      failed={o('surveillance.case_failed')}
    >
      {(found) => <OneCase found={found} />}
    </ObjectPage>
  );
}

function OneCase({ found }: { readonly found: SurveillanceCase }) {
  const { o } = useOperatorWords();
  const session = useSession();
  const [act, setAct] = useState<CaseAct | null>(null);
  const acts = mayRunVenue(session) ? actsOf(found, session?.user_id) : [];
  return (
    <>
      <div className="page-head">
        <div>
          <h1>
            {o(`surveillance_rule.${found.rule}`)} · {found.market}
          </h1>
          <p className="lede">
            <CaseState found={found} /> {o(`surveillance_why.${found.rule}`)}
          </p>
        </div>
        <div className="row">
          {acts.map((one) => (
            <button
              key={one}
              type="button"
              className={one === 'close' ? 'button primary' : 'button'}
              onClick={() => setAct(one)}
            >
              {o(`surveillance_act.${one}`)}
            </button>
          ))}
        </div>
      </div>
      <div className="columns">
        <div className="stack">
          <Numbers found={found} />
          {found.trades.length > 0 && <TradesOfCase trades={found.trades} />}
          {found.orders.length > 0 && <OrdersOfCase orders={found.orders} />}
        </div>
        <div className="stack">
          <AboutCase found={found} />
          <Notes notes={found.notes} />
          <TrailPanel subject={found.id} />
        </div>
      </div>
      {act !== null && <ActOnCase found={found} act={act} onClose={() => setAct(null)} />}
    </>
  );
}

function Numbers({ found }: { readonly found: SurveillanceCase }) {
  const words = useOperatorWords();
  return (
    <Panel title={words.o('surveillance.numbers')} padded>
      <FactList
        rows={found.numbers.map((number) => [numberLabel(number.name, words.o), numberShown(number, words)] as const)}
      />
    </Panel>
  );
}

function AboutCase({ found }: { readonly found: SurveillanceCase }) {
  const { o, t, dateTime } = useOperatorWords();
  return (
    <Panel title={t('surveillance.case')} padded>
      <FactList
        rows={[
          [
            o('surveillance.people'),
            found.people.map(({ userId, name }) => (
              <div key={userId}>
                <UserLink id={userId}>{name}</UserLink>
              </div>
            )),
          ],
          found.relation === null ? null : [o('surveillance.relation'), relationLabel(found, o)],
          [
            o('surveillance.accounts'),
            found.accountIds.map((id) => (
              <div key={id}>
                <AccountLink id={id} />
              </div>
            )),
          ],
          [
            t('column.market'),
            <Link key="m" to="/operator/markets/$symbol" params={{ symbol: found.market }}>
              {found.market}
            </Link>,
          ],
          [o('surveillance.day'), found.day],
          [
            o('surveillance.assignee'),
            found.assignee === null ? o('surveillance.nobody') : <PersonLink key="a" id={found.assignee} />,
          ],
          found.closedBy === null ? null : [o('surveillance.closed_by'), <PersonLink key="c" id={found.closedBy} />],
          found.closedAt === null ? null : [o('surveillance_state.closed'), dateTime(found.closedAt)],
          found.closeReason === null ? null : [o('act.reason'), found.closeReason],
          [o('surveillance.id'), <CopyText key="id" text={found.id} shown={`…${found.id.slice(-8)}`} />],
        ]}
      />
    </Panel>
  );
}

function Notes({ notes }: Pick<SurveillanceCase, 'notes'>) {
  const { o, dateTime } = useOperatorWords();
  return (
    <Panel title={o('surveillance.notes')}>
      {notes.length === 0 ? (
        <Empty title={o('surveillance.notes_none')} text={o('surveillance.notes_none_text')} />
      ) : (
        <ol className="trail">
          {notes.map((note) => (
            <li key={note.id}>
              <p>{note.text}</p>
              <p className="small dim">
                <PersonLink id={note.author} /> · {dateTime(note.createdAt)}
              </p>
            </li>
          ))}
        </ol>
      )}
    </Panel>
  );
}
