import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { dataOf, exchange } from '../../api/client.ts';
import { CopyText } from '../../parts/copy-text.tsx';
import { FactList, Panel, State } from '../../parts/panel.tsx';
import { Empty, ReadBlock } from '../../parts/read-block.tsx';
import { useSession } from '../../session/session.ts';
import { ActDialog } from '../act-dialog.tsx';
import { allotmentsQuery, type ListingEvent, listingQuery } from '../desk-queries.ts';
import { mayRunVenue } from '../may-see.ts';
import { AccountLink } from '../parts/links.tsx';
import { ObjectPage } from '../parts/object-page.tsx';
import { Pager } from '../parts/pager.tsx';
import { TrailPanel } from '../parts/trail-panel.tsx';
import { ruleLabel } from '../refusals/rule-words.ts';
import { useOperatorWords } from '../use-operator-words.ts';
import { isListingUnderWay, LISTING_STEPS, mayStop, toneOfListing } from './asset-words.ts';

const route = getRouteApi('/own/venue/operator/assets/$assetId/listings/$eventId');
const OUTCOMES = ['pending', 'converted', 'not_allotted', 'failed'] as const;
const TONES = { pending: 'run', converted: 'ok', not_allotted: 'none', failed: 'bad' } as const;

export function ListingPage() {
  const { o, t } = useOperatorWords();
  const { assetId, eventId } = route.useParams();
  const query = useQuery(listingQuery(assetId, eventId, isListingUnderWay));
  return (
    <ObjectPage
      title={t('desk.listing')}
      list={
        <Link to="/operator/assets/$assetId" params={{ assetId }}>
          {t('desk.asset')}
        </Link>
      }
      query={query}
      failed={o('listing.failed')}
    >
      {(event) => <OneListing event={event} />}
    </ObjectPage>
  );
}

function OneListing({ event }: { readonly event: ListingEvent }) {
  const { o, t, price, exact, dateTime, date } = useOperatorWords();
  const mayRun = mayRunVenue(useSession());
  const [stops, setStops] = useState(false);
  return (
    <>
      <div className="page-head">
        <div>
          <h1>{t('desk.listing')}</h1>
          <p className="lede">
            <State tone={toneOfListing(event.state)}>{o(`listing_state.${event.state}`)}</State>{' '}
            {event.code !== null && <code>{event.code}</code>}
          </p>
        </div>
        {mayRun && mayStop(event.state) && (
          <button type="button" className="button danger" onClick={() => setStops(true)}>
            {o('listing.stop')}
          </button>
        )}
      </div>
      <div className="columns">
        <div className="stack">
          <Panel title={o('listing.steps')} padded>
            <Steps state={event.state} />
          </Panel>
          <Panel title={o('listing.terms')} padded>
            <FactList
              rows={[
                [t('column.price'), price(event.price)],
                [o('listing.offered'), exact(event.sharesOffered)],
                [o('listing.unallocated'), exact(event.sharesUnallocated)],
                [o('listing.lot'), exact(event.lotSize)],
                [o('listing.allocation'), o(`allocation.${event.allocation}`)],
                [o('listing.lockup'), `${String(event.lockupMonths)} ${o('listing.months')}`],
                event.restrictionEndDate === null ? null : [o('listing.free_from'), date(event.restrictionEndDate)],
                [o('asset.issuer_account'), <AccountLink key="a" id={event.issuerAccount} />],
                [
                  o('listing.offer_order'),
                  <Link key="o" to="/operator/search" search={{ id: event.offerOrderId }}>
                    <code>{event.offerOrderId}</code>
                  </Link>,
                ],
                [o('listing.begun'), dateTime(event.createdAt)],
                [o('listing.changed'), dateTime(event.updatedAt)],
                [o('listing.id'), <CopyText key="id" text={event.eventId} />],
              ]}
            />
          </Panel>
          <Panel title={o('listing.outcomes')} padded>
            <FactList
              rows={OUTCOMES.map((outcome) => {
                const sum = event.outcomes[outcome];
                return [
                  <State key="s" tone={TONES[outcome]}>
                    {o(`outcome.${outcome}`)}
                  </State>,
                  o('listing.of', { n: exact(sum?.indications ?? '0'), shares: exact(sum?.shares ?? '0') }),
                ] as const;
              })}
            />
          </Panel>
          <Allotments event={event} />
        </div>
        <TrailPanel subject={event.assetId} />
      </div>
      {stops && <StopListing event={event} onClose={() => setStops(false)} />}
    </>
  );
}

function Steps({ state }: Pick<ListingEvent, 'state'>) {
  const { o } = useOperatorWords();
  const at = (LISTING_STEPS as readonly string[]).indexOf(state);
  if (at === -1) return <p className="small dim">{o(`listing_text.${state as 'refused'}`)}</p>;
  return (
    <ol className="steps">
      {LISTING_STEPS.map((step, index) => (
        <li key={step} aria-current={index === at ? 'step' : undefined}>
          <State tone={index < at || state === 'done' ? 'ok' : index === at ? 'run' : 'none'}>
            {o(`listing_state.${step}`)}
          </State>
        </li>
      ))}
    </ol>
  );
}

function Allotments({ event: { assetId, eventId } }: { readonly event: ListingEvent }) {
  const { o, t, price, exact } = useOperatorWords();
  const { cursor } = route.useSearch();
  const query = useQuery(allotmentsQuery(assetId, eventId, { cursor }));
  return (
    <Panel title={o('listing.allotments')}>
      <ReadBlock query={query} failed={o('listing.failed')} rows={4}>
        {({ rows, next }) =>
          rows.length === 0 ? (
            <Empty title={o('listing.no_allotments')} text={o('listing.no_allotments_text')} />
          ) : (
            <>
              <div className="scroll">
                <table className="table roomy">
                  <caption className="hidden-text">{o('listing.allotments')}</caption>
                  <thead>
                    <tr>
                      <th>{o('column.account')}</th>
                      <th className="right">{o('listing.wanted')}</th>
                      <th className="right less">{t('column.price')}</th>
                      <th className="right">{o('listing.allotted')}</th>
                      <th>{t('column.state')}</th>
                    </tr>
                  </thead>
                  <tbody>
                    {rows.map((row) => (
                      <tr key={row.orderId}>
                        <td>
                          <AccountLink id={row.accountId} />
                        </td>
                        <td className="right">{exact(row.indicatedShares)}</td>
                        <td className="right less">{price(row.limitPrice)}</td>
                        <td className="right">{exact(row.allottedShares)}</td>
                        <td>
                          <State tone={TONES[row.outcome]}>{o(`outcome.${row.outcome}`)}</State>
                          {row.rule !== null && <small>{ruleLabel(row.rule)}</small>}
                        </td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </div>
              <Pager cursor={cursor} next={next} />
            </>
          )
        }
      </ReadBlock>
    </Panel>
  );
}

interface StopProps {
  readonly event: ListingEvent;
  readonly onClose: () => void;
}

function StopListing({ event: { assetId, eventId, state, outcomes }, onClose }: StopProps) {
  const { o, exact } = useOperatorWords();
  return (
    <ActDialog
      name={`stop listing ${eventId}`}
      title={o('listing.stop_ask')}
      act={o('listing.stop')}
      danger
      changed={!mayStop(state)}
      onClose={onClose}
      send={async (reason, header) => {
        const params = { path: { id: assetId, event: eventId }, header };
        const call = { params, body: { reason } };
        await dataOf(exchange.POST('/v1/operator/assets/{id}/listing-events/{event}/stop', call));
        return o('listing.stop_said');
      }}
    >
      <p>{o('listing.stop_happens')}</p>
      <FactList rows={[[o('outcome.converted'), exact(outcomes.converted?.shares ?? '0')]]} />
    </ActDialog>
  );
}
