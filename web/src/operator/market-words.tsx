import { State } from '../parts/panel.tsx';
import type { VenueMarket } from './queries.ts';
import { type OperatorWords, useOperatorWords } from './use-operator-words.ts';

const BPS_OF_PERCENT = 100;

interface MarketStateProps {
  readonly market: Pick<VenueMarket, 'rules' | 'causes'>;
  /** Book and ledger were asked: without them, no cause that is known does not mean that there is none. */
  readonly isAsked: boolean;
}

/** Whether it takes orders, and where not, why. */
export function MarketState({ market: { rules, causes }, isAsked }: MarketStateProps) {
  const { o } = useOperatorWords();
  const [cause] = causes;
  if (rules.status === 'closed') return <State tone="none">{o('state.closed')}</State>;
  if (cause === undefined)
    return <State tone={isAsked ? 'ok' : 'none'}>{o(isAsked ? 'state.takes' : 'state.open')}</State>;
  return (
    <State tone={cause === 'band_halt' || cause === 'shares_split' ? 'warn' : 'bad'}>
      {sentence(o(`cause.${cause}`))}
    </State>
  );
}

export function bandOf({ rules, lastPrice }: VenueMarket, { o, price, number }: OperatorWords): string {
  const bps = Number(rules.bandBps);
  if (bps === 0) return o('market.band_none');
  const around = lastPrice ?? rules.referencePrice;
  return o('market.band_of', {
    percent: number(String(bps / BPS_OF_PERCENT)),
    price: around === null ? '–' : price(around),
  });
}

export function feesOf({ rules }: VenueMarket, { number }: OperatorWords): string {
  const percent = (bps: string) => `${number(String(Number(bps) / BPS_OF_PERCENT))} %`;
  return `${percent(rules.makerFeeBps)} / ${percent(rules.takerFeeBps)}`;
}

export function sizesOf({ rules }: VenueMarket, { exact }: OperatorWords): string {
  return `${exact(rules.minSize)} – ${exact(rules.maxSize)}`;
}

/** A text that begins a line. */
export function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
