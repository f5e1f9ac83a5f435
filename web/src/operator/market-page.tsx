import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { CopyText } from '../parts/copy-text.tsx';
import { FactList, Panel, State } from '../parts/panel.tsx';
import { Empty, ReadBlock } from '../parts/read-block.tsx';
import { usePageTitle } from '../parts/use-page-title.ts';
import { useSession } from '../session/session.ts';
import { haltOffered, type MarketAct, marketActHolds, type VenueAct, venueActOf } from './act-state.ts';
import { bookRunbookOf } from './book-halt.ts';
import { ActButton, MarketActDialog } from './market-acts.tsx';
import { bandOf, feesOf, MarketState, sentence, sizesOf } from './market-words.tsx';
import { mayRunVenue } from './may-see.ts';
import { type Cause, overviewQuery, type VenueMarketDetail, venueMarketQuery } from './queries.ts';
import { whoAndWhy } from './trouble-list.tsx';
import { useOperatorWords } from './use-operator-words.ts';
import { VenueButton, VenueDialog } from './venue-acts.tsx';

const route = getRouteApi('/own/venue/operator/markets/$symbol');

/** A market: why it stands still, what to do about it, and its rules. */
export function VenueMarketPage() {
  const { o } = useOperatorWords();
  const { symbol } = route.useParams();
  const session = useSession();
  const market = useQuery(venueMarketQuery(symbol));
  usePageTitle(symbol);
  const mayRun = mayRunVenue(session);
  const [opened, setOpened] = useState<Opened | null>(null);
  const [venueAct, setVenueAct] = useState<VenueAct | null>(null);
  const trading = useQuery({ ...overviewQuery, enabled: market.data?.venueHalted === true || venueAct !== null });
  const acts = {
    mayRun,
    onOpen: (act: MarketAct) => market.data !== undefined && setOpened({ act, market: market.data }),
    onVenue: setVenueAct,
  };
  return (
    <div className="page mid">
      <div className="page-head">
        <div>
          <h1>{symbol}</h1>
          {market.data !== undefined && (
            <p className="lede">
              {market.data.base.name}, <MarketState market={market.data} isAsked={market.data.isCurrent} />
            </p>
          )}
        </div>
        {mayRun && market.data !== undefined && haltOffered(market.data) !== null && (
          <ActButton act="halt_market" market={market.data} onOpen={acts.onOpen} />
        )}
      </div>
      <div className="columns">
        <div className="stack">
          {market.data?.isCurrent === false && <p className="note warn">{o('market.not_current')}</p>}
          <Panel title={o(market.data?.causes.length === 0 ? 'column.state' : 'market.why')}>
            <ReadBlock query={market} failed={o('market.failed')} rows={4}>
              {(read) =>
                read.causes.length === 0 ? (
                  <Empty title={o('market.runs')} text={o('market.runs_text')} />
                ) : (
                  read.causes.map((cause) => <Runbook key={cause} cause={cause} market={read} {...acts} />)
                )
              }
            </ReadBlock>
          </Panel>
          <Panel title={o('market.halts')}>
            <ReadBlock query={market} failed={o('market.failed')} rows={3}>
              {(read) => <Halts market={read} />}
            </ReadBlock>
          </Panel>
        </div>
        <div className="stack">
          <Panel title={o('market.rules')} padded>
            <ReadBlock query={market} failed={o('market.failed')} rows={8}>
              {(read) => <Rules market={read} {...acts} />}
            </ReadBlock>
          </Panel>
          <Panel title={o('market.book')} padded>
            <ReadBlock query={market} failed={o('market.failed')} rows={4}>
              {(read) => <BookFacts book={read.book} />}
            </ReadBlock>
          </Panel>
        </div>
      </div>
      {opened !== null && (
        <MarketActDialog
          act={opened.act}
          market={opened.market}
          changed={market.data !== undefined && !marketActHolds(opened.act, opened.market, market.data)}
          onClose={() => setOpened(null)}
        />
      )}
      {venueAct !== null && (
        <VenueDialog act={venueAct} trading={trading.data?.trading ?? null} onClose={() => setVenueAct(null)} />
      )}
    </div>
  );
}

/** The dialog that is open, and the market as it was when it was opened. */
interface Opened {
  readonly act: MarketAct;
  readonly market: VenueMarketDetail;
}

interface ActsProps {
  readonly mayRun: boolean;
  readonly onOpen: (act: MarketAct) => void;
  readonly onVenue: (act: VenueAct) => void;
}

/** What mends a cause, where a button does. */
const MENDS: Partial<Record<Cause, MarketAct>> = {
  market_halted: 'resume_market',
  book_halted: 'resume_book',
  band_halt: 'end_band',
};

interface RunbookProps extends ActsProps {
  readonly cause: Cause;
  readonly market: VenueMarketDetail;
}

/** One cause: what it means and what to do, beside the button that does it. */
function Runbook({ cause, market, mayRun, onOpen, onVenue }: RunbookProps) {
  const words = useOperatorWords();
  const { o, dateTime } = words;
  const overview = useQuery({ ...overviewQuery, enabled: cause === 'venue_halted' });
  const ofBook = cause === 'book_halted' ? bookRunbookOf(market.book?.halted ?? '') : null;
  const act = ofBook === null || ofBook.mayTry ? MENDS[cause] : undefined;
  const asset = market.base.status === 'APPROVED' ? market.quote : market.base;
  const trading = overview.data?.trading ?? null;
  const step = cause === 'market_halted' ? market.halt : cause === 'venue_halted' ? (trading?.venueHalt ?? null) : null;
  return (
    <div className="runbook">
      <div>
        <h3>{sentence(o(`cause.${cause}`))}</h3>
        {step !== null && (
          <p>
            {whoAndWhy(step, words)}, {o('trouble.since', { time: dateTime(step.at) })}
          </p>
        )}
        {cause === 'band_halt' && market.haltedUntil !== null && (
          <p>{o('trouble.until', { time: dateTime(market.haltedUntil) })}</p>
        )}
        <p className="gap-above">
          {o(
            ofBook?.key ?? `run.${cause}`,
            cause === 'asset_not_approved' ? { symbol: asset.symbol, status: asset.status } : {},
          )}
        </p>
        {cause === 'market_halted' && market.securityHalt !== null && (
          <p className="gap-above">
            {o('run.security_halted', { by: market.securityHalt.by ?? '–' })} {market.securityHalt.reason}
          </p>
        )}
      </div>
      {mayRun && act !== undefined && <ActButton act={act} market={market} onOpen={onOpen} />}
      {mayRun && cause === 'venue_halted' && <VenueButton act={venueActOf(trading, true)} onOpen={onVenue} />}
      {cause === 'book_halted' && market.book?.halted != null && (
        <div className="words note">
          <strong>{o('run.for_developers')}</strong>
          <pre>{market.book.halted}</pre>
          <CopyText text={`${market.symbol} ${market.book.halted}`} shown={market.symbol} />
        </div>
      )}
    </div>
  );
}

function Rules({ market, mayRun, onOpen }: Omit<ActsProps, 'onVenue'> & { readonly market: VenueMarketDetail }) {
  const words = useOperatorWords();
  const { o, whole, price, exact, dateTime } = words;
  const { rules } = market;
  const hasBand = Number(rules.bandBps) > 0;
  return (
    <>
      <FactList
        rows={[
          [o('column.route'), o(`route.${market.route}`)],
          [o('column.last'), market.lastPrice === null ? '–' : price(market.lastPrice)],
          [o('column.band'), bandOf(market, words)],
          [
            o('market.band_halt'),
            Number(rules.bandHaltSeconds) === 0
              ? o('market.band_halt_none')
              : o('market.seconds', { n: whole(rules.bandHaltSeconds) }),
          ],
          [o('market.reference'), rules.referencePrice === null ? '–' : price(rules.referencePrice)],
          [o('column.fees'), feesOf(market, words)],
          [o('column.sizes'), sizesOf(market, words)],
          [o('market.tick'), exact(market.tickSize)],
          [o('market.lot'), exact(market.lotSize)],
          [o('column.hours'), o(`hours.${rules.tradingHours}`)],
          market.opensAt === null ? null : [o('market.opens'), dateTime(market.opensAt)],
        ]}
      />
      {mayRun && hasBand && rules.status !== 'closed' && (
        <p className="gap-above">
          <ActButton act="set_band" market={market} onOpen={onOpen} />
        </p>
      )}
    </>
  );
}

function BookFacts({ book }: Pick<VenueMarketDetail, 'book'>) {
  const { o, whole } = useOperatorWords();
  if (book === null) return <p className="note warn">{o('market.book_away')}</p>;
  return (
    <FactList
      rows={[
        [
          o('column.state'),
          <State key="s" tone={book.halted === null ? 'ok' : 'bad'}>
            {o(book.halted === null ? 'ledger.book_runs' : 'ledger.book_halted')}
          </State>,
        ],
        [o('market.live'), whole(book.liveOrders)],
        [o('market.queued'), whole(book.queued)],
        [o('market.outbox'), whole(book.outbox)],
        [o('market.batch'), `${whole(book.batch)} / ${whole(book.settled)}`],
      ]}
    />
  );
}

function Halts({ market: { halts } }: { readonly market: VenueMarketDetail }) {
  const words = useOperatorWords();
  const { o, dateTime } = words;
  if (halts.length === 0) return <Empty title={o('market.halts_none')} text={o('market.halts_none_text')} />;
  return (
    <ul className="todo">
      {halts.map((step) => (
        <li key={step.at}>
          <div>
            <State tone={step.halted ? 'warn' : 'ok'}>
              {o(step.halted ? 'market.halted_step' : 'market.resumed_step')}
            </State>
            <p>{whoAndWhy(step, words)}</p>
          </div>
          <span className="small dim">{dateTime(step.at)}</span>
        </li>
      ))}
    </ul>
  );
}
