import { isDeepStrictEqual } from 'node:util';
import { findStatedPlaces, findStatedVault, listStatedVaults } from '../../data/bridge/tenants.ts';
import { findAssetBySymbol } from '../../data/catalog/assets.ts';
import { type Database, database } from '../../data/database.ts';
import type { Vault } from '../../domain/bridge/chains/chain-adapter.ts';
import type { ChainName } from '../../domain/bridge/chains/chain-name.ts';
import { externalChain } from '../../domain/bridge/external-chain.ts';
import {
  counting,
  isOutlived,
  type KeptVersion,
  keepFirst,
  keepStated,
  keptAt,
  standing,
} from '../../domain/bridge/places/kept-versions.ts';
import type { NeedsNoNotice, Stated } from '../../domain/bridge/places/notice.ts';
import type { OrganizationPlaces } from '../../domain/bridge/places/organization-places.ts';
import { vaultFault } from '../../domain/bridge/places/vault-fault.ts';
import { isKeyOfTwoNetworks, isSameFunds, isSameVault } from '../../domain/bridge/places/vault-identity.ts';
import { isInUse } from '../../domain/bridge/signing/memory/in-use.ts';
import type { SignerMemory } from '../../domain/bridge/signing/memory/signer-memory.ts';
import type { TransferTerms } from '../../domain/bridge/transfer-terms.ts';
import { createdAtOf } from '../../domain/ids/created-at-of.ts';

/** A vault, and what the ledger's asset is whose symbol terms name. */
export interface KnownVault {
  readonly vault: Vault;
  /** Its id, and its decimals. */
  readonly asset: string;
  readonly scale: number;
}

/** What held when a transfer began, and whether it was replaced so long ago that no transfer of then is paid out any more. */
type Held<Value> = Value & { readonly isOutlived?: true };

/** Where the funds of transfers lie, and who guards them, as a signer goes by it. */
export interface SignerPlaces {
  /** @throws Error where there is none, or it is not known for sure now */
  vaultOf(terms: TransferTerms, side: 'source' | 'destination'): Promise<Held<KnownVault>>;
  /** @throws Error as `vaultOf` */
  settingsOf(terms: TransferTerms): Promise<Held<OrganizationPlaces>>;
  /** All guards that it keeps: of transfers of before as well, and of those to come, by which others may go already. @throws Error as `vaultOf` */
  guardsOf(terms: TransferTerms): Promise<readonly string[]>;
}

export interface KeptPlacesParameters {
  readonly memory: SignerMemory;
  readonly now: () => number;
  /** Called where a change waits: it is to be looked at again within the hour. */
  readonly waits: () => void;
}

/** Of the records of a kind, those of vaults by lane and chain, and one of what the organization has set. */
const SETTINGS = 'settings';
const VAULT = 'vault ';
const vaultRecord = (of: { readonly origin: ChainName; readonly symbol: string; readonly chain: ChainName }) =>
  `${VAULT}${of.origin} ${of.chain} ${of.symbol}`;

/**
 * Places of one organization as its signer has seen them in D1 and keeps them itself: who writes D1 changes none of them before a signer has seen the change for days
 * (docs/design/bridge/signing.md#places). A transfer goes by what held when it began.
 */
export class KeptPlaces implements SignerPlaces {
  readonly #db: Database;
  readonly #own: KeptPlacesParameters;

  constructor(env: { readonly DB: D1Database }, own: KeptPlacesParameters) {
    this.#db = database(env.DB);
    this.#own = own;
  }

  async vaultOf(terms: TransferTerms, side: 'source' | 'destination'): Promise<Held<KnownVault>> {
    const place = terms[side];
    if (place.kind === 'account') throw new Error('an account is on no chain');
    const [origin, { chain }, { organization, asset: symbol }] = [externalChain(terms), place, terms];
    await this.#firstLook(organization);
    const asset = await findAssetBySymbol(this.#db, symbol);
    const stated = asset && (await findStatedVault(this.#db, { organization, origin, asset: asset.id, chain }));
    const known = asset && stated && knownOf(stated, asset.id, asset.scale);
    const versions = this.#keptVault(vaultRecord({ origin, symbol, chain }), known);
    if (versions.length === 0) throw new Error(`the organization has no ${symbol} on ${chain}`);
    return this.#heldFor(terms, versions);
  }

  async settingsOf(terms: TransferTerms): Promise<Held<OrganizationPlaces>> {
    return this.#heldFor(terms, await this.#settings(terms));
  }

  async guardsOf(terms: TransferTerms): Promise<readonly string[]> {
    return (await this.#settings(terms)).map(({ value: { guard } }) => guard);
  }

  async #settings({ organization }: TransferTerms): Promise<readonly KeptVersion<OrganizationPlaces>[]> {
    await this.#firstLook(organization);
    const versions = this.#kept(SETTINGS, await findStatedPlaces(this.#db, organization), isDeepStrictEqual);
    if (versions.length === 0) throw new Error('the organization has set nothing');
    return versions;
  }

  /**
   * Looks at all that is stated, so that the time of a change begins, and at all that it keeps, so that what is stated no more waits no longer.
   *
   * @throws AggregateError of what it does not take; all else is kept
   */
  async look(organization: string): Promise<void> {
    const settings = await findStatedPlaces(this.#db, organization);
    const vaults = await listStatedVaults(this.#db, organization);
    // Without a pause from here on: one record is judged by the others.
    const stated = new Map<string, Stated<KnownVault> | null>(
      this.#own.memory.ids('place').flatMap((id) => (id.startsWith(VAULT) ? [[id, null]] : [])),
    );
    for (const { asset, scale, stated: of, ...lane } of vaults)
      stated.set(vaultRecord(lane), knownOf(of, asset, scale));
    this.#kept(SETTINGS, settings, isDeepStrictEqual);
    const standings = new Map([...stated.keys()].map((record) => [record, this.#standingAt(record)]));
    const refused: unknown[] = [];
    for (const [record, of] of stated)
      try {
        this.#keptVault(record, of, standings);
        standings.set(record, this.#standingAt(record));
      } catch (error) {
        refused.push(error);
      }
    if (refused.length > 0) throw new AggregateError(refused, String(refused[0]));
  }

  /** Until it has seen funds, it keeps all that is stated as it is: what it saw later would be a change. What it does not take, it says when that is used. */
  async #firstLook(organization: string): Promise<void> {
    if (!isInUse(this.#own.memory)) await this.look(organization).catch(() => undefined);
  }

  #heldFor<Value extends object>({ id }: TransferTerms, kept: readonly KeptVersion<Value>[]): Held<Value> {
    const [begunAt, now] = [createdAtOf(id), this.#own.now()];
    const held = keptAt(kept, begunAt, now);
    return isOutlived(kept, begunAt, now) ? { ...held, isOutlived: true } : held;
  }

  /** @param standings by record, what stands of the others; read where it is not told */
  #keptVault(
    record: string,
    stated: Stated<KnownVault> | null,
    standings?: ReadonlyMap<string, readonly KnownVault[]>,
  ): readonly KeptVersion<KnownVault>[] {
    const own = this.#standingAt(record);
    const values = [stated?.value, stated?.next?.value].filter((value) => value !== undefined);
    const fresh = values.filter(({ vault }) => !own.some((known) => isSameVault(known.vault, vault)));
    for (const { vault } of fresh) {
      const fault = vaultFault(vault);
      if (fault !== null) throw new Error(`the vault is none: ${fault}`);
    }
    if (fresh.length > 0) {
      const others = [...(standings ?? this.#standings())].flatMap(([id, known]) => (id === record ? [] : known));
      if (fresh.some(({ vault }) => others.some((other) => isSameFunds(other.vault, vault))))
        throw new Error('the vault is known as one of another asset');
      if (fresh.some(({ vault }) => [...own, ...others].some((known) => isKeyOfTwoNetworks(known.vault, vault))))
        throw new Error('the key of the vault is known as one of another network');
    }
    return this.#kept(record, stated, isSameKnown);
  }

  /** Without a pause from what it reads to what it writes. */
  #kept<Value>(
    record: string,
    stated: Stated<Value> | null,
    needsNoNotice: NeedsNoNotice<Value>,
  ): readonly KeptVersion<Value>[] {
    const { memory, now, waits } = this.#own;
    const versions = this.#read<Value>(record);
    const kept = this.#next(versions, stated, needsNoNotice);
    const text = kept.length === 0 ? null : JSON.stringify(kept);
    if (text !== memory.read('place', record)) memory.write([{ kind: 'place', id: record, text }]);
    if (kept.some(({ countsFrom }) => countsFrom > now())) waits();
    return kept;
  }

  #next<Value>(
    versions: readonly KeptVersion<Value>[],
    stated: Stated<Value> | null,
    needsNoNotice: NeedsNoNotice<Value>,
  ): readonly KeptVersion<Value>[] {
    const { memory, now } = this.#own;
    if (!isInUse(memory)) return stated === null ? [] : keepFirst(stated);
    return stated === null ? counting(versions, now()) : keepStated(versions, stated, now(), needsNoNotice);
  }

  #read<Value>(record: string): readonly KeptVersion<Value>[] {
    const text = this.#own.memory.read('place', record);
    return text === null ? [] : (JSON.parse(text) as readonly KeptVersion<Value>[]);
  }

  #standingAt(record: string): readonly KnownVault[] {
    return standing(this.#read<KnownVault>(record), this.#own.now());
  }

  #standings(): ReadonlyMap<string, readonly KnownVault[]> {
    const records = this.#own.memory.ids('place').filter((id) => id.startsWith(VAULT));
    return new Map(records.map((record) => [record, this.#standingAt(record)]));
  }
}

function knownOf(stated: Stated<Vault>, asset: string, scale: number): Stated<KnownVault> {
  const of = (vault: Vault): KnownVault => ({ vault, asset, scale });
  const { value, from, next } = stated;
  return { value: of(value), from, next: next && { value: of(next.value), from: next.from } };
}

function isSameKnown(one: KnownVault, other: KnownVault): boolean {
  return isSameVault(one.vault, other.vault) && one.asset === other.asset && one.scale === other.scale;
}
