import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { CopyText } from '../../parts/copy-text.tsx';
import { FactList, Panel, State } from '../../parts/panel.tsx';
import { Empty, ReadBlock } from '../../parts/read-block.tsx';
import { useSession } from '../../session/session.ts';
import { type VenueAsset, venueAssetQuery } from '../desk-queries.ts';
import { MarketState } from '../market-words.tsx';
import { mayRunVenue } from '../may-see.ts';
import { AccountLink } from '../parts/links.tsx';
import { ObjectPage } from '../parts/object-page.tsx';
import { TrailPanel } from '../parts/trail-panel.tsx';
import { venueMarketsQuery } from '../queries.ts';
import { useOperatorWords } from '../use-operator-words.ts';
import { AssetImage, SetAssetStatus } from './asset-acts.tsx';
import { EditAsset } from './asset-form.tsx';
import { type AssetStatus, type ListedCategory, nextStatuses, toneOfAsset } from './asset-words.ts';
import { Listings } from './listings.tsx';
import { OpenMarket } from './open-market.tsx';

const route = getRouteApi('/own/venue/operator/assets/$assetId');

export function VenueAssetPage() {
  const { o, t } = useOperatorWords();
  const { assetId } = route.useParams();
  const query = useQuery(venueAssetQuery(assetId));
  return (
    <ObjectPage
      title={t('desk.asset')}
      list={<Link to="/operator/assets">{t('desk.assets')}</Link>}
      query={query}
      failed={o('asset.failed')}
    >
      {(asset) => <OneAsset asset={asset} />}
    </ObjectPage>
  );
}

type Asked = { readonly act: 'edit' | 'open_market' } | { readonly act: 'status'; readonly status: AssetStatus };

function OneAsset({ asset }: { readonly asset: VenueAsset }) {
  const { o } = useOperatorWords();
  const mayRun = mayRunVenue(useSession());
  const [asked, setAsked] = useState<(Asked & { readonly asset: VenueAsset }) | null>(null);
  const ask = (act: Asked) => setAsked({ ...act, asset });
  const close = () => setAsked(null);
  return (
    <>
      <div className="page-head">
        <div>
          <h1>
            {asset.symbol} · {asset.name}
          </h1>
          <p className="lede">
            <State tone={toneOfAsset(asset.status)}>{o(`asset_state.${asset.status}`)}</State>{' '}
            {!asset.tradeable && o('asset.not_tradeable')}
          </p>
        </div>
        {mayRun && (
          <div className="row">
            {asset.status !== 'DELISTED' && (
              <button type="button" className="button" onClick={() => ask({ act: 'edit' })}>
                {o('assets.edit_act')}
              </button>
            )}
            {nextStatuses(asset.status).map((status) => (
              <button
                key={status}
                type="button"
                className={status === 'APPROVED' ? 'button primary' : 'button danger'}
                onClick={() => ask({ act: 'status', status })}
              >
                {o(`asset_act.${status}`)}
              </button>
            ))}
          </div>
        )}
      </div>
      <div className="columns">
        <div className="stack">
          <Panel title={o('asset.facts')} padded>
            <Facts asset={asset} />
          </Panel>
          <Markets
            asset={asset}
            onOpen={mayRun && asset.status === 'APPROVED' ? () => ask({ act: 'open_market' }) : null}
          />
          {asset.category === 'pre-ipo' && <Listings asset={asset} />}
          {mayRun && asset.status !== 'DELISTED' && (
            <Panel title={o('asset.image')} padded>
              <p className="small">{o(imageOf(asset))}</p>
              <AssetImage asset={asset} />
            </Panel>
          )}
        </div>
        <TrailPanel subject={asset.id} />
      </div>
      {asked?.act === 'edit' && <EditAsset asset={asked.asset} onClose={close} />}
      {asked?.act === 'open_market' && <OpenMarket asset={asked.asset} onClose={close} />}
      {asked?.act === 'status' && (
        <SetAssetStatus asset={asked.asset} status={asked.status} now={asset.status} onClose={close} />
      )}
    </>
  );
}

function imageOf({ hasUploadedImage, image }: VenueAsset) {
  if (hasUploadedImage) return 'asset.image_uploaded';
  return image === '' ? 'asset.image_none' : 'asset.image_elsewhere';
}

function Facts({ asset }: { readonly asset: VenueAsset }) {
  const { o, t, price } = useOperatorWords();
  return (
    <>
      <FactList
        rows={[
          [t('column.kind'), t(`category.${asset.category as ListedCategory}`)],
          [t('column.rail'), asset.marketRail === null ? '–' : t(`rail.${asset.marketRail}`)],
          [o('column.route'), asset.executionRoute === null ? '–' : o(`route.${asset.executionRoute}`)],
          [o('asset.scale'), String(asset.scale)],
          [o('asset.accreditation'), o(`accreditation.${asset.accreditationType ?? 'none'}`)],
          [o('asset.regulation'), o(`regulation.${asset.regulation ?? 'none'}`)],
          [o('asset.reference_price'), asset.referencePrice === null ? '–' : `${price(asset.referencePrice)} USD`],
          [o('asset.issuer'), asset.issuerName ?? '–'],
          asset.issuerAccount === null
            ? null
            : [o('asset.issuer_account'), <AccountLink key="a" id={asset.issuerAccount} />],
          asset.offeringType === null ? null : [o('asset.offering'), asset.offeringType],
          asset.exchange === null ? null : [o('asset.exchange'), asset.exchange],
          [o('asset.lots'), o(asset.tracksLots ? 'word.yes' : 'word.no')],
          [o('asset.id'), <CopyText key="id" text={asset.id} />],
        ]}
      />
      {asset.description !== null && <p className="small dim words">{asset.description}</p>}
    </>
  );
}

interface MarketsProps {
  readonly asset: VenueAsset;
  /** Null where nobody may open one now. */
  readonly onOpen: (() => void) | null;
}

function Markets({ asset: { symbol }, onOpen }: MarketsProps) {
  const { o, t } = useOperatorWords();
  const query = useQuery(venueMarketsQuery({ search: `${symbol}-` }, 1));
  return (
    <Panel
      title={t('place.markets')}
      aside={
        onOpen !== null && (
          <button type="button" className="button small-button" onClick={onOpen}>
            {o('open_market.act')}
          </button>
        )
      }
    >
      <ReadBlock query={query} failed={o('markets.failed')} rows={2}>
        {({ markets }) =>
          markets.length === 0 ? (
            <Empty title={o('asset.no_markets')} text={o('asset.no_markets_text')} />
          ) : (
            <div className="scroll">
              <table className="table">
                <caption className="hidden-text">{t('place.markets')}</caption>
                <thead>
                  <tr>
                    <th>{t('column.market')}</th>
                    <th>{o('column.route')}</th>
                    <th>{t('column.state')}</th>
                  </tr>
                </thead>
                <tbody>
                  {markets.map((market) => (
                    <tr key={market.symbol}>
                      <td>
                        <Link to="/operator/markets/$symbol" params={{ symbol: market.symbol }}>
                          {market.symbol}
                        </Link>
                      </td>
                      <td>{o(`route.${market.route}`)}</td>
                      <td>
                        <MarketState market={market} isAsked={false} />
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
  );
}
