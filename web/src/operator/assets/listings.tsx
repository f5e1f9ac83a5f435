import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { dataOf, exchange, sent } from '../../api/client.ts';
import { readInput } from '../../numbers/read-input.ts';
import { NumberField, SelectField } from '../../parts/field.tsx';
import { FactList, Panel, State } from '../../parts/panel.tsx';
import { Empty, ReadBlock } from '../../parts/read-block.tsx';
import { useSession } from '../../session/session.ts';
import { ActDialog, type ActHeaders } from '../act-dialog.tsx';
import { interestQuery, listingsQuery, type VenueAsset } from '../desk-queries.ts';
import { mayRunVenue } from '../may-see.ts';
import { useFormDraft } from '../parts/use-form-draft.ts';
import { useOperatorWords } from '../use-operator-words.ts';
import { isListingUnderWay, toneOfListing } from './asset-words.ts';

const LOCKUP_MONTHS_MAX = 60;

/** What investors indicate of a pre-IPO asset, and its listing events. */
export function Listings({ asset }: { readonly asset: VenueAsset }) {
  const { o, t, price, exact, dateTime } = useOperatorWords();
  const mayRun = mayRunVenue(useSession());
  // Once it is listed it trades on a book of its own, and takes no indications.
  const takesIndications = asset.executionRoute === 'indication';
  const interest = useQuery({ ...interestQuery(asset.id), enabled: takesIndications });
  const listings = useQuery(listingsQuery(asset.id));
  const [asks, setAsks] = useState(false);
  const isRunning = listings.data?.some(({ state }) => isListingUnderWay(state)) === true;
  return (
    <>
      {takesIndications && (
        <Panel title={o('listing.interest')} padded>
          <ReadBlock query={interest} failed={o('listing.interest_failed')} rows={3}>
            {(sum) => (
              <FactList
                rows={[
                  [o('listing.indications'), exact(sum.indications)],
                  [o('listing.investors'), exact(sum.investors)],
                  [o('listing.shares'), exact(sum.shares)],
                  [o('listing.payable'), exact(sum.payableShares)],
                ]}
              />
            )}
          </ReadBlock>
        </Panel>
      )}
      <Panel
        title={o('listing.events')}
        aside={
          mayRun &&
          asset.status === 'APPROVED' &&
          takesIndications &&
          listings.data !== undefined &&
          !isRunning && (
            <button type="button" className="button small-button" onClick={() => setAsks(true)}>
              {o('listing.announce')}
            </button>
          )
        }
      >
        <ReadBlock query={listings} failed={o('listing.failed')} rows={2}>
          {(events) =>
            events.length === 0 ? (
              <Empty title={o('listing.none')} text={o('listing.none_text')} />
            ) : (
              <div className="scroll">
                <table className="table roomy">
                  <caption className="hidden-text">{o('listing.events')}</caption>
                  <thead>
                    <tr>
                      <th>{o('listing.begun')}</th>
                      <th className="right">{t('column.price')}</th>
                      <th className="right less">{o('listing.offered')}</th>
                      <th>{t('column.state')}</th>
                    </tr>
                  </thead>
                  <tbody>
                    {events.map((event) => (
                      <tr key={event.eventId}>
                        <td>
                          <Link
                            to="/operator/assets/$assetId/listings/$eventId"
                            params={{ assetId: asset.id, eventId: event.eventId }}
                            className="strong"
                          >
                            {dateTime(event.createdAt)}
                          </Link>
                        </td>
                        <td className="right">{price(event.price)}</td>
                        <td className="right less">{exact(event.sharesOffered)}</td>
                        <td>
                          <State tone={toneOfListing(event.state)}>{o(`listing_state.${event.state}`)}</State>
                        </td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </div>
            )
          }
        </ReadBlock>
      </Panel>
      {asks && <Announce asset={asset} changed={isRunning} onClose={() => setAsks(false)} />}
    </>
  );
}

interface AnnounceProps {
  readonly asset: VenueAsset;
  /** One is under way meanwhile. */
  readonly changed: boolean;
  readonly onClose: () => void;
}

/** Announces a listing: indications turn firm at its terms. */
function Announce({ asset: { id, symbol }, changed, onClose }: AnnounceProps) {
  const { o, t, locale } = useOperatorWords();
  const draft = useFormDraft(`announce ${id}`, {
    price: '',
    sharesOffered: '',
    allocation: 'pro_rata',
    lockupMonths: '6',
    opensMarket: 'yes',
  });
  const { form, change } = draft;
  const [price, shares] = [readInput(form.price, locale), readInput(form.sharesOffered, locale)];
  const isLockup = /^\d{1,2}$/.test(form.lockupMonths) && Number(form.lockupMonths) <= LOCKUP_MONTHS_MAX;
  const send = async (_: string, header: ActHeaders) => {
    const body = {
      price: sent(price ?? '0'),
      sharesOffered: sent(shares ?? '0'),
      lotSize: null,
      allocation: form.allocation as 'pro_rata' | 'time_priority',
      lockupMonths: sent(String(Number(form.lockupMonths))),
      opensMarket: form.opensMarket === 'yes',
    };
    const params = { path: { id }, header };
    const { data } = await dataOf(exchange.POST('/v1/operator/assets/{id}/listing-event', { params, body }));
    return o('listing.announced', { symbol, state: o(`listing_state.${data.state}`) });
  };
  return (
    <ActDialog
      name={`announce ${id}`}
      title={o('listing.ask', { symbol })}
      act={o('listing.announce')}
      unreasoned
      danger
      changed={changed}
      blocked={price === null || shares === null || !isLockup}
      draft={draft}
      onClose={onClose}
      send={send}
    >
      <p>{o('listing.happens')}</p>
      <NumberField
        label={t('column.price')}
        name="price"
        unit="USD"
        value={form.price}
        error={form.price !== '' && price === null ? t('flaw.not_positive') : null}
        onChange={(value) => change({ price: value })}
      />
      <NumberField
        label={o('listing.offered')}
        name="sharesOffered"
        unit={symbol}
        value={form.sharesOffered}
        error={form.sharesOffered !== '' && shares === null ? t('flaw.not_positive') : null}
        onChange={(sharesOffered) => change({ sharesOffered })}
      />
      <SelectField
        label={o('listing.allocation')}
        value={form.allocation}
        options={(['pro_rata', 'time_priority'] as const).map((value) => ({ value, label: o(`allocation.${value}`) }))}
        onChange={(allocation) => change({ allocation })}
      />
      <NumberField
        label={o('listing.lockup')}
        name="lockupMonths"
        unit={o('listing.months')}
        value={form.lockupMonths}
        error={isLockup ? null : o('listing.lockup_flaw')}
        onChange={(lockupMonths) => change({ lockupMonths })}
      />
      <SelectField
        label={o('listing.opens_market')}
        value={form.opensMarket}
        options={(['yes', 'no'] as const).map((value) => ({ value, label: o(`word.${value}`) }))}
        onChange={(opensMarket) => change({ opensMarket })}
      />
    </ActDialog>
  );
}
