import type { AssetRow } from '../../data/catalog/assets.ts';
import { findInstrumentOfMarket, findInstrumentsOfMarkets, type Instrument } from '../../data/catalog/instruments.ts';
import { database } from '../../data/database.ts';
import { isListed } from '../../domain/assets/is-listed.ts';
import { isRouted } from '../../domain/markets/market.ts';

/** How long a market, or that there is none, is remembered. */
const FRESH_MS = 5_000;
const REMEMBERED_MAX = 1_000;

/** The asset behind each listed pair, which decides who may see it; routed markets are no pairs. */
export class ListedMarkets {
  readonly #env: Env;
  readonly #known = new Map<string, { readonly asset: AssetRow | null; readonly readAt: number }>();

  constructor(env: Env) {
    this.#env = env;
  }

  /** Null where no such market is listed. */
  async find(symbol: string): Promise<AssetRow | null> {
    const known = this.#known.get(symbol);
    if (known !== undefined && Date.now() - known.readAt < FRESH_MS) return known.asset;
    const asset = listedAssetOf(await findInstrumentOfMarket(database(this.#env.DB), symbol));
    if (this.#known.size >= REMEMBERED_MAX) this.#known.clear();
    this.#known.set(symbol, { asset, readAt: Date.now() });
    return asset;
  }

  /** Those that are listed now, by symbol, in one look. */
  async findAll(symbols: readonly string[]): Promise<ReadonlyMap<string, AssetRow>> {
    const instruments = await findInstrumentsOfMarkets(database(this.#env.DB), symbols);
    return new Map(
      instruments.flatMap((instrument) => {
        const asset = listedAssetOf(instrument);
        return asset === null || instrument.market === null ? [] : [[instrument.market.symbol, asset] as const];
      }),
    );
  }
}

function listedAssetOf(instrument: Instrument | null): AssetRow | null {
  const isPair = instrument?.market != null && !isRouted(instrument.market);
  return isPair && isListed(instrument.asset) ? instrument.asset : null;
}
