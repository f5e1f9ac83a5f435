import type { AssetRow } from '../../data/catalog/assets.ts';
import { findInstrumentsOfMarkets, type Instrument } from '../../data/catalog/instruments.ts';
import { database } from '../../data/database.ts';
import { isListed } from '../../domain/assets/is-listed.ts';
import { isRouted } from '../../domain/markets/market.ts';

/** How long a market is remembered. */
const FRESH_MS = 5_000;

type Found = ReadonlyMap<string, AssetRow>;

/**
 * The asset behind each listed pair, which decides who may see it; routed markets are no pairs. Names that are nobody's take no place among
 * those that are remembered, and however many are asked for at a time, one statement is under way.
 */
export class ListedMarkets {
  readonly #env: Pick<Env, 'DB'>;
  readonly #known = new Map<string, { readonly asset: AssetRow; readonly readAt: number }>();
  /** Names that the next statement looks up. */
  #wanted = new Set<string>();
  #next: Promise<Found> | null = null;
  #running: Promise<unknown> = Promise.resolve();

  constructor(env: Pick<Env, 'DB'>) {
    this.#env = env;
  }

  /** Null where no such market is listed. */
  async find(symbol: string): Promise<AssetRow | null> {
    const known = this.#known.get(symbol);
    if (known !== undefined && Date.now() - known.readAt < FRESH_MS) return known.asset;
    this.#wanted.add(symbol);
    this.#next ??= this.#after(this.#running);
    return (await this.#next).get(symbol) ?? null;
  }

  /** Those that are listed now, by symbol, in one look. */
  async findAll(symbols: readonly string[]): Promise<Found> {
    const instruments = await findInstrumentsOfMarkets(database(this.#env.DB), symbols);
    return new Map(
      instruments.flatMap((instrument) => {
        const asset = listedAssetOf(instrument);
        return asset === null || instrument.market === null ? [] : [[instrument.market.symbol, asset] as const];
      }),
    );
  }

  async #after(running: Promise<unknown>): Promise<Found> {
    await running;
    const symbols = [...this.#wanted];
    this.#wanted = new Set();
    this.#next = null;
    const finding = this.findAll(symbols);
    this.#running = finding.catch(() => undefined);
    const found = await finding;
    const readAt = Date.now();
    for (const symbol of symbols) this.#known.delete(symbol);
    for (const [symbol, asset] of found) this.#known.set(symbol, { asset, readAt });
    return found;
  }
}

function listedAssetOf(instrument: Instrument | null): AssetRow | null {
  const isPair = instrument?.market != null && !isRouted(instrument.market);
  return isPair && isListed(instrument.asset) ? instrument.asset : null;
}
