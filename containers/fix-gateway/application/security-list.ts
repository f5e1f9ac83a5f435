import { decimalText } from '../codec/decimal.ts';
import { type Field, type FixMessage, textOf } from '../codec/fix-message.ts';
import { MSG_TYPE } from '../codec/msg-types.ts';
import { TAG } from '../codec/tags.ts';
import type { Outgoing } from './application.ts';
import { businessReject } from './business-reject.ts';
import type { CallerHeaders, Exchange } from './exchange.ts';
import { refusedField } from './refused-field.ts';
import type { WireMarket } from './wire.ts';

const BY_SYMBOL = '0';
const ALL = '4';
/** BusinessRejectReason(380): SecurityList has no field for a reason. */
const OTHER = '0';
const VALID = '0';
const UNSUPPORTED = '1';
const NONE_FOUND = '2';
const UNAVAILABLE = '4';

/** Pages of markets that are read: more are answered as unavailable, and none as all. */
const PAGES_MAX = 100;
/** Pairs of one message: 1,000 take some 200 KB. */
const FRAGMENT_PAIRS_MAX = 1_000;

/**
 * SecurityListRequest: every pair that the caller may see (SecurityListRequestType 4), or one by its symbol (0). A list that one message does
 * not hold comes in several, of which the last says so (FIX 4.4 volume 3, Security List).
 */
export async function listSecurities(
  exchange: Exchange,
  caller: CallerHeaders,
  message: FixMessage,
): Promise<Outgoing[]> {
  const ignored = refusedField(message);
  if (ignored !== null) return [businessReject(message, OTHER, ignored.text)];
  const type = textOf(message, TAG.SecurityListRequestType) ?? '';
  const wanted = textOf(message, TAG.Symbol);
  if (type !== (wanted === null ? ALL : BY_SYMBOL)) return list(message, UNSUPPORTED, []);
  const markets = await readMarkets(exchange, caller);
  if (markets === null) return list(message, UNAVAILABLE, []);
  const found = type === BY_SYMBOL ? markets.filter(({ symbol }) => symbol === wanted) : markets;
  return list(message, found.length === 0 ? NONE_FOUND : VALID, found);
}

/** All pairs that the caller may see; null when the exchange cannot be asked for all of them. */
export async function readMarkets(exchange: Exchange, caller: CallerHeaders): Promise<WireMarket[] | null> {
  const markets: WireMarket[] = [];
  let cursor = '';
  for (let pages = 0; pages < PAGES_MAX; pages++) {
    const answer = await exchange.call('GET', `/v1/markets${cursor}`, caller);
    if (answer.type !== 'ok') return null;
    markets.push(...(answer.body as { markets: WireMarket[] }).markets);
    if (answer.next === null) return markets;
    cursor = `?cursor=${encodeURIComponent(answer.next)}`;
  }
  return null;
}

function list(message: FixMessage, result: string, markets: readonly WireMarket[]): Outgoing[] {
  const count = Math.max(1, Math.ceil(markets.length / FRAGMENT_PAIRS_MAX));
  return Array.from({ length: count }, (_, index) => {
    const from = index * FRAGMENT_PAIRS_MAX;
    const part = markets.slice(from, from + FRAGMENT_PAIRS_MAX);
    return fragment(message, result, part, { total: markets.length, isLast: index === count - 1 });
  });
}

function fragment(
  message: FixMessage,
  result: string,
  markets: readonly WireMarket[],
  { total, isLast }: { readonly total: number; readonly isLast: boolean },
): Outgoing {
  const id = textOf(message, TAG.SecurityReqID) ?? '';
  const entries = markets.flatMap((market): Field[] => [
    [TAG.Symbol, market.symbol],
    [TAG.SecurityDesc, `${market.base_asset} against ${market.quote_asset}`],
    [TAG.Currency, market.quote_asset],
    [TAG.RoundLot, decimalText(market.lot_size)],
    [TAG.MinTradeVol, decimalText(market.size_min)],
    // No field of the group is a sum of money, and one of our own would end the group for a peer that does not know it.
    [TAG.Text, `MinNotional=${decimalText(market.notional_min)}`],
  ]);
  return {
    type: MSG_TYPE.SecurityList,
    kept: false,
    body: [
      [TAG.SecurityReqID, id],
      [TAG.SecurityResponseID, id],
      [TAG.SecurityRequestResult, result],
      [TAG.TotNoRelatedSym, String(total)],
      [TAG.LastFragment, isLast ? 'Y' : 'N'],
      ...(markets.length === 0 ? [] : ([[TAG.NoRelatedSym, String(markets.length)]] as const)),
      ...entries,
    ],
  };
}
