import { isDeepStrictEqual } from 'node:util';
import { findStatedPlaces, findStatedVault, listStatedVaults } from '../../data/bridge/tenants.ts';
import { type Database, database } from '../../data/database.ts';
import type { Vault } from '../../domain/bridge/chains/chain-adapter.ts';
import type { ChainName } from '../../domain/bridge/chains/chain-name.ts';
import { externalChain } from '../../domain/bridge/external-chain.ts';
import { type KeptVersion, keepStated, keptAt } from '../../domain/bridge/places/kept-versions.ts';
import type { Stated } from '../../domain/bridge/places/notice.ts';
import type { OrganizationPlaces } from '../../domain/bridge/places/organization-places.ts';
import { isSameFunds, isSameVault } from '../../domain/bridge/places/vault-identity.ts';
import type { SignerMemory } from '../../domain/bridge/signing/memory/signer-memory.ts';
import type { TransferTerms } from '../../domain/bridge/transfer-terms.ts';
import { createdAtOf } from '../../domain/ids/created-at-of.ts';
import { assetIdOf } from './ledger-sight.ts';

/** Where the funds of transfers lie, and who guards them, as a signer goes by it. */
export interface SignerPlaces {
  /** @throws Error where there is none, or it is not known for sure now */
  vaultAt(terms: TransferTerms, side: 'source' | 'destination'): Promise<Vault>;
  /** @throws Error as `vaultAt` */
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

  async vaultAt(terms: TransferTerms, side: 'source' | 'destination'): Promise<Vault> {
    const place = terms[side];
    if (place.kind === 'account') throw new Error('an account is on no chain');
    const [origin, { chain }, { organization, asset: symbol }] = [externalChain(terms), place, terms];
    const asset = await assetIdOf(this.#db, terms);
    const stated = await findStatedVault(this.#db, { organization, origin, asset, chain });
    if (stated === null) throw new Error(`the organization has no ${symbol} on ${chain}`);
    return this.#heldFor(terms, this.#keptVault(vaultRecord({ origin, symbol, chain }), stated));
  }

  async settingsOf(terms: TransferTerms): Promise<OrganizationPlaces> {
    const stated = await findStatedPlaces(this.#db, terms.organization);
    if (stated === null) throw new Error('the organization has set nothing');
    return this.#heldFor(terms, this.#kept(SETTINGS, stated, isDeepStrictEqual));
  }

  /**
   * Looks at changes of what it keeps, so that their time begins.
   *
   * @throws AggregateError of those that it does not take; all others are kept
   */
  async look(organization: string): Promise<void> {
    const settings = await findStatedPlaces(this.#db, organization);
    const vaults = await listStatedVaults(this.#db, organization);
    if (settings !== null && this.#read(SETTINGS).length > 0) this.#kept(SETTINGS, settings, isDeepStrictEqual);
    const refused: unknown[] = [];
    for (const { stated, ...of } of vaults) {
      const record = vaultRecord(of);
      if (this.#read(record).length === 0) continue;
      try {
        this.#keptVault(record, stated);
      } catch (error) {
        refused.push(error);
      }
    }
    if (refused.length > 0) throw new AggregateError(refused, String(refused[0]));
  }

  #heldFor<Value>({ id }: TransferTerms, kept: readonly KeptVersion<Value>[]): Value {
    return keptAt(kept, createdAtOf(id), this.#now());
  }

  #keptVault(record: string, stated: Stated<Vault>): readonly KeptVersion<Vault>[] {
    const known = this.#read<Vault>(record);
    const isTaken = (vault: Vault) => this.#others(record).some((other) => isSameFunds(other, vault));
    const isNew = (vault: Vault) => !known.some(({ value }) => isSameVault(value, vault));
    const values = stated.next === null ? [stated.value] : [stated.value, stated.next.value];
    if (values.some((vault) => isNew(vault) && isTaken(vault)))
      throw new Error('the vault is known as one of another asset');
    return this.#kept(record, stated, isSameVault);
  }

  /** Without a pause from what it reads to what it writes. */
  #kept<Value>(
    record: string,
    stated: Stated<Value>,
    isSame: (one: Value, other: Value) => boolean,
  ): readonly KeptVersion<Value>[] {
    const known = this.#read<Value>(record);
    const kept = keepStated(known, stated, this.#now(), isSame);
    const text = JSON.stringify(kept);
    if (text !== JSON.stringify(known)) this.#memory.write([{ kind: 'place', id: record, text }]);
    return kept;
  }

  #read<Value>(record: string): readonly KeptVersion<Value>[] {
    const text = this.#memory.read('place', record);
    return text === null ? [] : (JSON.parse(text) as readonly KeptVersion<Value>[]);
  }

  /** Vaults of all other lanes and chains that it knows, former ones, too. */
  #others(record: string): readonly Vault[] {
    return this.#memory
      .ids('place')
      .filter((id) => id !== SETTINGS && id !== record)
      .flatMap((id) => this.#read<Vault>(id).map(({ value }) => value));
  }
}
