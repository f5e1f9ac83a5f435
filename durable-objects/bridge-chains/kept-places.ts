import { findStatedPlaces, findStatedVault, listStatedVaults } from '../../data/bridge/tenants.ts';
import { findAssetBySymbol } from '../../data/catalog/assets.ts';
import { type Database, database } from '../../data/database.ts';
import type { Vault } from '../../domain/bridge/chains/chain-adapter.ts';
import type { ChainName } from '../../domain/bridge/chains/chain-name.ts';
import { externalChain } from '../../domain/bridge/external-chain.ts';
import { type KeptVersion, keepFirst, keepStated, keptAt, standing } from '../../domain/bridge/places/kept-versions.ts';
import type { NeedsNoNotice, Stated } from '../../domain/bridge/places/notice.ts';
import { asksForNoLess, type OrganizationPlaces } from '../../domain/bridge/places/organization-places.ts';
import { isSameFunds, isSameVault } from '../../domain/bridge/places/vault-identity.ts';
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

/** Where the funds of transfers lie, and who guards them, as a signer goes by it. */
export interface SignerPlaces {
  /** @throws Error where there is none, or it is not known for sure now */
  vaultOf(terms: TransferTerms, side: 'source' | 'destination'): Promise<KnownVault>;
  /** @throws Error as `vaultOf` */
  settingsOf(terms: TransferTerms): Promise<OrganizationPlaces>;
}

/** Of the records of a kind, those of vaults by lane and chain, and one of what the organization has set. */
const SETTINGS = 'settings';
const vaultRecord = (of: { readonly origin: ChainName; readonly symbol: string; readonly chain: ChainName }) =>
  `vault ${of.origin} ${of.chain} ${of.symbol}`;

/**
 * Places of one organization as its signer has seen them in D1 and keeps them itself: who writes D1 changes none of them before a signer has seen the change for days
 * (docs/design/bridge/signing.md#places). A transfer goes by what held when it began.
 */
export class KeptPlaces implements SignerPlaces {
  readonly #db: Database;
  readonly #memory: SignerMemory;
  readonly #now: () => number;

  constructor(env: { readonly DB: D1Database }, memory: SignerMemory, now: () => number) {
    this.#db = database(env.DB);
    this.#memory = memory;
    this.#now = now;
  }

  async vaultOf(terms: TransferTerms, side: 'source' | 'destination'): Promise<KnownVault> {
    const place = terms[side];
    if (place.kind === 'account') throw new Error('an account is on no chain');
    const [origin, { chain }, { organization, asset: symbol }] = [externalChain(terms), place, terms];
    const asset = await findAssetBySymbol(this.#db, symbol);
    if (asset === null) throw new Error(`there is no ${symbol}`);
    const stated = await findStatedVault(this.#db, { organization, origin, asset: asset.id, chain });
    if (stated === null) throw new Error(`the organization has no ${symbol} on ${chain}`);
    await this.#firstLook(organization);
    const record = vaultRecord({ origin, symbol, chain });
    return this.#heldFor(terms, this.#keptVault(record, known(stated, asset.id, asset.scale)));
  }

  async settingsOf(terms: TransferTerms): Promise<OrganizationPlaces> {
    const stated = await findStatedPlaces(this.#db, terms.organization);
    if (stated === null) throw new Error('the organization has set nothing');
    await this.#firstLook(terms.organization);
    return this.#heldFor(terms, this.#kept(SETTINGS, stated, asksForNoLess));
  }

  /**
   * Looks at all that is stated, so that the time of a change begins.
   *
   * @throws AggregateError of what it does not take; all else is kept
   */
  async look(organization: string): Promise<void> {
    const settings = await findStatedPlaces(this.#db, organization);
    const vaults = await listStatedVaults(this.#db, organization);
    if (settings !== null) this.#kept(SETTINGS, settings, asksForNoLess);
    const refused: unknown[] = [];
    for (const { asset, scale, stated, ...of } of vaults)
      try {
        this.#keptVault(vaultRecord(of), known(stated, asset, scale));
      } catch (error) {
        refused.push(error);
      }
    if (refused.length > 0) throw new AggregateError(refused, String(refused[0]));
  }

  /** Whoever keeps nothing yet keeps all that is stated: what it saw later would be a change. What it does not take, it says when that is used. */
  async #firstLook(organization: string): Promise<void> {
    if (!this.#memory.has('place')) await this.look(organization).catch(() => undefined);
  }

  #heldFor<Value>({ id }: TransferTerms, kept: readonly KeptVersion<Value>[]): Value {
    return keptAt(kept, createdAtOf(id), this.#now());
  }

  #keptVault(record: string, stated: Stated<KnownVault>): readonly KeptVersion<KnownVault>[] {
    const versions = this.#read<KnownVault>(record);
    const isNew = ({ vault }: KnownVault) => !versions.some(({ value }) => isSameVault(value.vault, vault));
    const isTaken = ({ vault }: KnownVault) => this.#others(record).some((other) => isSameFunds(other.vault, vault));
    const values = stated.next === null ? [stated.value] : [stated.value, stated.next.value];
    if (values.some((value) => isNew(value) && isTaken(value)))
      throw new Error('the vault is known as one of another asset');
    return this.#kept(record, stated, isSameKnown);
  }

  /** Without a pause from what it reads to what it writes. */
  #kept<Value>(
    record: string,
    stated: Stated<Value>,
    needsNoNotice: NeedsNoNotice<Value>,
  ): readonly KeptVersion<Value>[] {
    const versions = this.#read<Value>(record);
    const kept = this.#isInUse() ? keepStated(versions, stated, this.#now(), needsNoNotice) : keepFirst(stated);
    const text = JSON.stringify(kept);
    if (text !== JSON.stringify(versions)) this.#memory.write([{ kind: 'place', id: record, text }]);
    return kept;
  }

  /** Whether it has seen funds by a place that it keeps: until then nothing can be taken, and errors are mended at once. */
  #isInUse(): boolean {
    return this.#memory.has('transfer') && this.#memory.has('place');
  }

  #read<Value>(record: string): readonly KeptVersion<Value>[] {
    const text = this.#memory.read('place', record);
    return text === null ? [] : (JSON.parse(text) as readonly KeptVersion<Value>[]);
  }

  /** Vaults of all other lanes and chains that it knows. */
  #others(record: string): readonly KnownVault[] {
    return this.#memory
      .ids('place')
      .filter((id) => id !== SETTINGS && id !== record)
      .flatMap((id) => standing(this.#read<KnownVault>(id), this.#now()));
  }
}

function known(stated: Stated<Vault>, asset: string, scale: number): Stated<KnownVault> {
  const of = (vault: Vault): KnownVault => ({ vault, asset, scale });
  const { value, from, next } = stated;
  return { value: of(value), from, next: next && { value: of(next.value), from: next.from } };
}

function isSameKnown(one: KnownVault, other: KnownVault): boolean {
  return isSameVault(one.vault, other.vault) && one.asset === other.asset && one.scale === other.scale;
}
