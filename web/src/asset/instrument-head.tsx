import type { ReactNode } from 'react';
import type { AssetDetails, Market } from '../api/queries.ts';
import { Star } from '../markets/star.tsx';
import type { Decimal } from '../numbers/decimal.ts';
import { toneOf } from '../numbers/show-number.ts';
import { Segments } from '../parts/field.tsx';
import { State } from '../parts/panel.tsx';
import { useWords } from '../texts/words.tsx';
import type { MarketStatus } from './use-market-status.ts';

interface Ticker {
  readonly change24h: Decimal | null;
  readonly change_percent24h: Decimal | null;
  readonly high24h: Decimal | null;
  readonly low24h: Decimal | null;
  readonly volume24h: Decimal;
  readonly quote_volume24h: Decimal;
}

interface HeadProps {
  readonly asset: AssetDetails;
  readonly market: Market | null;
  readonly markets: readonly Market[];
  readonly status: MarketStatus | null;
  readonly ticker: Ticker | null;
  readonly last: Decimal | null;
  readonly onMarket: (symbol: string) => void;
}

/** Name, state and price of what is traded, and the day's figures. */
export function InstrumentHead({ asset, market, markets, status, ticker, last, onMarket }: HeadProps) {
  const { t, number, exact, signed, percent } = useWords();
  const decimals = market === null ? 2 : Number(market.price_decimals);
  const quote = market?.quote_asset ?? 'USD';
  const change = ticker?.change24h ?? (market === null ? asset.change : null);
  const changePercent = ticker?.change_percent24h ?? (market === null ? asset.changesPercentage : null);
  const tone = change === null ? undefined : toneOf(change);
  const facts: (readonly [string, ReactNode] | null)[] = [
    ticker?.low24h == null || ticker.high24h == null
      ? null
      : [t('head.range'), `${number(ticker.low24h, decimals)} – ${number(ticker.high24h, decimals)}`],
    ticker === null ? null : [t('head.volume'), `${exact(ticker.volume24h)} ${asset.symbol}`],
    ticker === null ? null : [t('head.turnover'), `${number(ticker.quote_volume24h)} ${quote}`],
    market?.price_band == null
      ? null
      : [t('head.band'), `${number(market.price_band.low, decimals)} – ${number(market.price_band.high, decimals)}`],
    market === null
      ? null
      : [t('head.fees'), `${bps(market.maker_fee_bps, exact)} / ${bps(market.taker_fee_bps, exact)}`],
    [t('head.regulation'), regulationOf(asset)],
    market === null ? [t('head.route'), t(asset.type === 'pre-ipo' ? 'head.indications' : 'head.elsewhere')] : null,
  ];
  return (
    <section className="instrument" aria-label={asset.name}>
      <div>
        <div className="instrument-name">
          <h1>{market?.symbol ?? asset.symbol}</h1>
          <span className="dim">{asset.name}</span>
          <Star assetId={asset.id} symbol={asset.symbol} />
        </div>
        <StatusLine asset={asset} status={status} />
      </div>
      <div>
        <p className={`last ${tone ?? ''}`}>
          {last === null ? t('head.no_price') : number(last, decimals)}{' '}
          {tone !== undefined && <span aria-hidden="true">{tone === 'up' ? '↑' : '↓'}</span>}
        </p>
        <p className={`small ${tone ?? 'dim'}`}>
          {change === null || changePercent === null
            ? t('head.no_trade')
            : `${signed(change, decimals)} (${percent(changePercent)}) ${t('head.24h')}`}
        </p>
      </div>
      <dl>
        {facts
          .filter((fact) => fact !== null)
          .map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
      {markets.length > 1 && (
        <Segments
          label={t('head.where')}
          value={market?.symbol ?? ''}
          options={markets.map(({ symbol }) => ({ value: symbol, label: symbol }))}
          onChange={onMarket}
        />
      )}
    </section>
  );
}

function StatusLine({ asset, status }: { readonly asset: AssetDetails; readonly status: MarketStatus | null }) {
  const { t, dateTime } = useWords();
  if (status === null) {
    if (asset.stale) return <State tone="warn">{t('market.stale')}</State>;
    if (!asset.tradeable)
      return (
        <State tone="wait">
          {asset.opensAt === null ? t('market.closed') : t('market.opens', { time: dateTime(asset.opensAt) })}
        </State>
      );
    return <State tone="ok">{t('market.open')}</State>;
  }
  if (status.status === 'open') return <State tone="ok">{t('market.open')}</State>;
  if (status.status === 'closed') return <State tone="wait">{t('market.closed')}</State>;
  const why = t(status.reason === null ? 'market.halted' : `market.halted_${status.reason}`);
  return (
    <State tone="bad">{status.until === null ? why : t('market.until', { why, time: dateTime(status.until) })}</State>
  );
}

function regulationOf(asset: AssetDetails): string {
  return asset.accreditationType ?? asset.offeringType ?? asset.regulation ?? '–';
}

/** Basis points as a percentage: 20 are 0.20 %. */
function bps(value: Decimal, exact: (value: Decimal) => string): string {
  return `${exact(hundredth(value))} %`;
}

function hundredth(value: Decimal): Decimal {
  const [whole = '0', fraction = ''] = value.split('.');
  const digits = whole.padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}${fraction}`;
}
