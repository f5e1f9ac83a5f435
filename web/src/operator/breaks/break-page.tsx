import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { CopyText } from '../../parts/copy-text.tsx';
import { FactList, Panel, State } from '../../parts/panel.tsx';
import { useSession } from '../../session/session.ts';
import { type BrokerBreak, breakQuery } from '../desk-queries.ts';
import { mayRunVenue } from '../may-see.ts';
import { AccountLink, PersonLink } from '../parts/links.tsx';
import { ObjectPage } from '../parts/object-page.tsx';
import { shortId } from '../parts/short-id.ts';
import { TrailPanel } from '../parts/trail-panel.tsx';
import { useOperatorWords } from '../use-operator-words.ts';
import { toneOfBreak } from './break-words.ts';
import { AcknowledgeBreak, BookBreak } from './resolve-break.tsx';

const route = getRouteApi('/own/venue/operator/breaks/$symbol/$breakId');

export function BreakPage() {
  const { o, t } = useOperatorWords();
  const { symbol, breakId } = route.useParams();
  const query = useQuery(breakQuery(symbol, breakId));
  return (
    <ObjectPage
      title={t('desk.break')}
      list={<Link to="/operator/breaks">{t('desk.breaks')}</Link>}
      query={query}
      failed={o('break.failed')}
    >
      {(found) => <OneBreak found={found} />}
    </ObjectPage>
  );
}

/** What the broker says, beside what was known, and how people close it. */
function OneBreak({ found }: { readonly found: BrokerBreak }) {
  const { o, dateTime } = useOperatorWords();
  const session = useSession();
  const [act, setAct] = useState<'acknowledge' | 'book' | null>(null);
  const isOpen = found.state === 'open';
  const changed = act === 'book' ? !found.isBookable : !isOpen;
  return (
    <>
      <div className="page-head">
        <div>
          <h1>
            {o(`break_kind.${found.kind}`)} · {found.symbol}
          </h1>
          <p className="lede">
            <State tone={toneOfBreak(found.state)}>{o(`break_state.${found.state}`)}</State> {found.detail}
          </p>
        </div>
        {mayRunVenue(session) && isOpen && (
          <div className="row">
            <button type="button" className="button" onClick={() => setAct('acknowledge')}>
              {o('break_act.acknowledge')}
            </button>
            {found.isBookable && (
              <button type="button" className="button primary" onClick={() => setAct('book')}>
                {o('break_act.book')}
              </button>
            )}
          </div>
        )}
      </div>
      <div className="columns">
        <div className="stack">
          <Panel title={o('break.terms')}>
            <Terms found={found} />
          </Panel>
          <Panel title={o('break.about')} padded>
            <FactList
              rows={[
                [
                  o('break.order'),
                  <Link key="o" to="/operator/search" search={{ id: found.orderId }}>
                    {shortId(found.orderId)}
                  </Link>,
                ],
                found.executionId === null
                  ? null
                  : [o('break.execution'), <CopyText key="e" text={found.executionId} />],
                [o('break.report'), <CopyText key="r" text={found.id} />],
                [o('break.at'), dateTime(found.timestamp)],
                found.resolvedAt === null ? null : [o('break.closed'), dateTime(found.resolvedAt)],
                found.resolvedBy === null ? null : [o('break.closed_by'), <PersonLink key="p" id={found.resolvedBy} />],
                found.reason === null ? null : [o('act.reason'), found.reason],
              ]}
            />
          </Panel>
          {found.booking !== null && <Booking booking={found.booking} />}
        </div>
        <TrailPanel subject={found.booking?.accountId ?? found.symbol} />
      </div>
      {act === 'acknowledge' && <AcknowledgeBreak found={found} changed={changed} onClose={() => setAct(null)} />}
      {act === 'book' && <BookBreak found={found} changed={changed} onClose={() => setAct(null)} />}
    </>
  );
}

function Terms({ found }: { readonly found: BrokerBreak }) {
  const { o, t, price, exact } = useOperatorWords();
  const { known } = found;
  const side = (of: 'BUY' | 'SELL' | null) => (of === null ? '–' : t(of === 'BUY' ? 'side.buy' : 'side.sell'));
  const rows = [
    [t('column.side'), side(found.side), known === null ? '–' : side(known.side)],
    [
      t('column.price'),
      found.price === null ? '–' : price(found.price),
      known?.price == null ? '–' : price(known.price),
    ],
    [
      t('column.quantity'),
      found.quantity === null ? '–' : exact(found.quantity),
      known?.quantity == null ? '–' : exact(known.quantity),
    ],
  ];
  return (
    <div className="scroll">
      <table className="table">
        <caption className="hidden-text">{o('break.terms')}</caption>
        <thead>
          <tr>
            <th>{o('break.term')}</th>
            <th className="right">{o('break.broker_says')}</th>
            <th className="right">{o('break.known')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, told, before]) => (
            <tr key={name}>
              <td>{name}</td>
              <td className="right">{told}</td>
              <td className="right">{before}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Booking({ booking }: { readonly booking: NonNullable<BrokerBreak['booking']> }) {
  const { o, t, price, exact, date } = useOperatorWords();
  return (
    <Panel title={o('break.booking')} padded>
      <FactList
        rows={[
          [o('column.account'), <AccountLink key="a" id={booking.accountId} />],
          [t('column.side'), t(booking.side === 'BUY' ? 'side.buy' : 'side.sell')],
          [t('column.quantity'), exact(booking.quantity)],
          [t('column.price'), price(booking.price)],
          [t('column.value'), price(booking.total)],
          booking.settlementDate === null ? null : [o('break.settles'), date(booking.settlementDate)],
        ]}
      />
    </Panel>
  );
}
