import { DAY_MS } from '../../../calendar/durations.ts';
import { CLUSTER_SIZE } from '../../transfer.ts';
import { clusterKeys, type KeyShare, type PublicCluster } from '../key-share.ts';
import { destroyChanges, findShare, shareChanges, sharesOf } from '../memory/key-ring.ts';
import type { RecordChange, SignerMemory } from '../memory/signer-memory.ts';
import { isStatementOf, type SignerIdentity, signerIdentity, signStatement } from '../signer-identity.ts';
import {
  type CeremonyAnswer,
  type CeremonySigner,
  type CeremonyTerms,
  type Confirmation,
  ceremonyFault,
  ceremonyHash,
  clusterFields,
  confirmedStatement,
  type DealPackage,
  GENERATIONS_AHEAD_MAX,
  type SealedShares,
  sealedStatement,
  transcriptOf,
} from './ceremony.ts';
import { dealsFault, newDeal } from './deal-package.ts';
import { openEnvelope, sealEnvelope } from './envelope.ts';
import { combineNew, combineReshared, type Dealt, isDealtShareRight, type Polynomial, shareFor } from './polynomial.ts';

/** Ceremonies that a signer keeps: of those that ended, what came of them. A key that is in use has one more a day (`NEXT_AFTER_MS`). */
export const CEREMONIES_MAX = 256;
/**
 * Behind the bound a key that is in use has room for another ceremony so long after the last that was confirmed for it. What a signer has confirmed it never drops, as others may have it in use: so whoever fills its
 * memory gains one record a key and day, and keeps no lost signer from being replaced.
 */
export const NEXT_AFTER_MS = DAY_MS;
/** New keys among them: what deals the keys again that there are always has room beside these. */
export const MAKES_MAX = 128;
const ROSTER = 'roster';

/** What a signer keeps of one ceremony. Secrets of it are gone once it is in use. */
interface CeremonyRecord {
  readonly terms: CeremonyTerms;
  readonly polynomial: Polynomial | null;
  readonly deal: DealPackage | null;
  readonly sealed: SealedShares | null;
  readonly pending: KeyShare | null;
  readonly confirmation: Confirmation | null;
  /** When it was confirmed, Unix ms; absent before. */
  readonly confirmedAt?: number;
  readonly activated: PublicCluster | null;
  /** By which it was taken into use. */
  readonly confirmed: readonly Confirmation[] | null;
}

export interface CeremonyHostParameters {
  readonly organization: string;
  /** 0 to 4. */
  readonly number: number;
  readonly memory: SignerMemory;
  readonly now: () => number;
  /**
   * Who the five are, as this signer was told by whoever runs it. Null: those of the first ceremony that it meets. Shares go to nobody else, whatever a ceremony says.
   */
  readonly roster: readonly string[] | null;
}

/** One signer's part in key ceremonies. What leaves it is on disk before. It runs to its end without a pause, so calls do not meet in the middle. */
export class CeremonyHost implements CeremonySigner {
  readonly #own: CeremonyHostParameters;

  constructor(own: CeremonyHostParameters) {
    this.#own = own;
  }

  async identity(): Promise<string> {
    return this.#identity().key;
  }

  async deal(terms: CeremonyTerms): Promise<CeremonyAnswer<DealPackage>> {
    const fault = this.#termsFault(terms);
    if (fault !== null) return refused(fault);
    const known = this.#record(terms);
    if (known?.deal) return { ok: true, value: known.deal };
    if (!terms.dealers.some(({ signer, key }) => signer === this.#own.number && key === this.#identity().key))
      return refused('this signer deals nothing in it');
    const share = this.#shareOf(terms);
    if (terms.from !== null && share === null) return refused('this signer has another share, or none');
    const { polynomial, deal } = newDeal(terms, this.#own.number, this.#identity(), share?.secret ?? null);
    this.#keep({ ...newRecord(terms), polynomial, deal }, this.#dropped(terms));
    return { ok: true, value: deal };
  }

  async seal(terms: CeremonyTerms, deals: readonly DealPackage[]): Promise<CeremonyAnswer<SealedShares>> {
    const record = this.#record(terms);
    if (!record?.deal) return refused('this signer has dealt nothing in it');
    const [transcript, fault] = this.#checked(terms, deals, record);
    if (record.sealed) {
      if (record.sealed.transcript !== transcript) return refused('another first round was sealed');
      return { ok: true, value: record.sealed };
    }
    if (fault !== null) return { ok: false, ...fault };
    const { polynomial } = record;
    if (polynomial === null) return refused('the ceremony is over');
    const dealer = this.#own.number;
    const { scheme, roster } = terms;
    const envelopes =
      scheme === 'multisig-secp256k1'
        ? []
        : roster.map((key, signer) => {
            const share = shareFor(scheme, polynomial, signer);
            return sealEnvelope(key, envelopeContext(transcript, dealer, signer), share);
          });
    const said = { dealer, transcript, envelopes };
    const signature = signStatement(this.#identity(), sealedStatement(ceremonyHash(terms), said));
    const sealed = { ...said, signature };
    this.#keep({ ...record, sealed });
    return { ok: true, value: sealed };
  }

  async take(
    terms: CeremonyTerms,
    deals: readonly DealPackage[],
    sealed: readonly SealedShares[],
  ): Promise<CeremonyAnswer<Confirmation>> {
    const fault = this.#termsFault(terms);
    if (fault !== null) return refused(fault);
    if (terms.roster[this.#own.number] !== this.#identity().key) return refused('this signer takes no share in it');
    const record = this.#record(terms) ?? newRecord(terms);
    const [transcript, wrong] = this.#checked(terms, deals, record);
    const dealtFirst = record.confirmation?.transcript ?? record.sealed?.transcript ?? transcript;
    if (dealtFirst !== transcript) return refused('another first round was sealed');
    if (record.confirmation) return { ok: true, value: record.confirmation };
    if (wrong !== null) return { ok: false, ...wrong };
    const taken = this.#opened(terms, transcript, deals, sealed, record);
    if (!taken.ok) return taken;
    const pending = taken.value;
    if (this.#isOvertaken(terms)) return refused('another ceremony of this key has gone further');
    const said = { signer: this.#own.number, transcript, cluster: pending.cluster };
    const signature = signStatement(this.#identity(), confirmedStatement(ceremonyHash(terms), said));
    const confirmation = { ...said, signature };
    this.#keep({ ...record, pending, confirmation, confirmedAt: this.#own.now() }, this.#dropped(terms));
    return { ok: true, value: confirmation };
  }

  async activate(terms: CeremonyTerms, confirmations: readonly Confirmation[]): Promise<CeremonyAnswer<PublicCluster>> {
    const record = this.#record(terms);
    if (record === null) return refused('this signer has no part in it');
    if (record.activated) return { ok: true, value: record.activated };
    const transcript = record.confirmation?.transcript ?? record.sealed?.transcript;
    const fault = confirmationsFault(terms, confirmations, transcript ?? '');
    if (fault !== null) return { ok: false, ...fault };
    const [{ cluster } = { cluster: null }] = confirmations;
    if (cluster === null) return refused('nothing is confirmed');
    const isSame = JSON.stringify(clusterFields(cluster));
    if (record.pending !== null && JSON.stringify(clusterFields(record.pending.cluster)) !== isSame)
      return refused('the others have confirmed another key');
    if (terms.from !== null && terms.from.commitments[0] !== cluster.commitments[0])
      return refused('the others have confirmed another key');
    const { memory } = this.#own;
    const keys =
      record.pending !== null
        ? shareChanges(memory, record.pending)
        : destroyChanges(memory, clusterKeys(terms.from ?? cluster));
    if (this.#isPast(terms, cluster)) return refused('a later generation of the key is in use');
    const ended: CeremonyRecord = {
      ...record,
      polynomial: null,
      pending: null,
      activated: cluster,
      confirmed: confirmations,
    };
    memory.write([
      ...keys,
      { kind: 'roster', id: ROSTER, text: JSON.stringify(terms.roster) },
      recordChange(ended),
      ...this.#outdated(terms, cluster),
    ]);
    return { ok: true, value: cluster };
  }

  async confirmations(terms: CeremonyTerms): Promise<CeremonyAnswer<readonly Confirmation[]>> {
    const confirmed = this.#record(terms)?.confirmed ?? null;
    return confirmed === null ? refused('the ceremony is not in use here') : { ok: true, value: confirmed };
  }

  async unfinished(): Promise<readonly CeremonyTerms[]> {
    return this.#records()
      .filter(({ pending }) => pending !== null)
      .map(({ terms }) => terms);
  }

  /** The share that a key is handed on from; null for a new key, or where it is another. */
  #shareOf({ from }: CeremonyTerms): KeyShare | null {
    if (from === null) return null;
    const share = findShare(this.#own.memory, clusterKeys(from));
    const isSame =
      share !== null && JSON.stringify(clusterFields(share.cluster)) === JSON.stringify(clusterFields(from));
    return isSame ? share : null;
  }

  #termsFault(terms: CeremonyTerms): string | null {
    const { organization, memory } = this.#own;
    if (terms.organization !== organization) return 'another organization';
    const fault = ceremonyFault(terms);
    if (fault !== null) return fault;
    const pinned = memory.read('roster', ROSTER);
    const roster = this.#own.roster ?? (pinned === null ? terms.roster : (JSON.parse(pinned) as string[]));
    if (roster.join() !== terms.roster.join()) return 'other signers than this one knows';
    if (this.#record(terms) !== null) return null;
    const records = this.#records();
    if (records.length >= CEREMONIES_MAX && !this.#hasRoomBehind(terms, records)) return 'too many ceremonies';
    if (terms.kind === 'make' && records.filter(({ terms: { kind } }) => kind === 'make').length >= MAKES_MAX)
      return 'too many new keys';
    const inUse = sharesOf(memory, terms.scheme).map(({ cluster }) => cluster.generation);
    if (inUse.some((generation) => generation >= terms.generation)) return 'the generation is not the next';
    const met = records.filter(({ terms: { scheme } }) => scheme === terms.scheme).map((each) => each.terms.generation);
    const latest = Math.max(0, terms.from?.generation ?? 0, ...inUse, ...met);
    return terms.generation > latest + GENERATIONS_AHEAD_MAX ? 'the generation is far ahead' : null;
  }

  /** Whether its key is in use here, and nothing of it was confirmed within the last day. A clock that was set back makes nothing older. */
  #hasRoomBehind(terms: CeremonyTerms, records: readonly CeremonyRecord[]): boolean {
    const key = terms.from?.commitments[0];
    const isInUse = sharesOf(this.#own.memory, terms.scheme).some(({ cluster }) => cluster.commitments[0] === key);
    if (key === undefined || !isInUse) return false;
    const since = this.#own.now() - NEXT_AFTER_MS;
    return !records.some(
      (record) =>
        record.terms.scheme === terms.scheme &&
        record.activated === null &&
        keyOf(record) === key &&
        (record.confirmedAt ?? 0) > since,
    );
  }

  #checked(terms: CeremonyTerms, deals: readonly DealPackage[], { deal }: CeremonyRecord) {
    const transcript = transcriptOf(ceremonyHash(terms), deals);
    const fault = dealsFault(terms, deals);
    const own = deals.find(({ dealer }) => dealer === this.#own.number);
    const isChanged = deal !== null && JSON.stringify(own?.commitments) !== JSON.stringify(deal.commitments);
    return [
      transcript,
      fault ?? (isChanged ? { culprit: null, reason: 'its own package was changed' } : null),
    ] as const;
  }

  #opened(
    terms: CeremonyTerms,
    transcript: string,
    deals: readonly DealPackage[],
    sealed: readonly SealedShares[],
    { polynomial }: CeremonyRecord,
  ): CeremonyAnswer<KeyShare> {
    const { number } = this.#own;
    const { scheme, generation, kind, from } = terms;
    const hash = ceremonyHash(terms);
    const dealt: Dealt[] = [];
    for (const [index, { signer: dealer, key }] of terms.dealers.entries()) {
      const given = sealed[index];
      if (given?.dealer !== dealer || given.transcript !== transcript)
        return refused('the second round is not that of the first');
      if (!isStatementOf(key, sealedStatement(hash, given), given.signature))
        return accused(dealer, 'its shares are not signed by it');
      if (scheme === 'multisig-secp256k1') continue;
      const commitments = deals[index]?.commitments ?? [];
      const share = this.#openShare(envelopeContext(transcript, dealer, number), given.envelopes[number] ?? '');
      if (share === null || !isDealtShareRight(scheme, commitments, number, share))
        return accused(dealer, 'its share is wrong');
      dealt.push({ dealer, commitments, share });
    }
    if (scheme === 'multisig-secp256k1') {
      const verifyingShares = deals.map(({ commitments: [key = ''] }) => key);
      if (new Set(verifyingShares).size !== CLUSTER_SIZE) return refused('two signers have one key');
      const cluster = { scheme, generation, commitments: [], verifyingShares };
      return { ok: true, value: { cluster, signer: number, secret: polynomial?.coefficients[0] ?? '' } };
    }
    const combine = kind === 'make' ? combineNew : combineReshared;
    const value = combine(scheme, generation, number, dealt);
    if (from !== null && from.commitments[0] !== value.cluster.commitments[0]) return refused('it is another key');
    return { ok: true, value };
  }

  #openShare(context: string, envelope: string): string | null {
    try {
      return openEnvelope(this.#identity().secret, context, envelope);
    } catch {
      return null;
    }
  }

  /** Whether it has confirmed a ceremony of the same key that is as late as this one. */
  #isOvertaken(terms: CeremonyTerms): boolean {
    return this.#rivals(terms).some(({ terms: { generation }, confirmation }) => {
      return confirmation !== null && generation >= terms.generation;
    });
  }

  /** Secrets of ceremonies of the same key that this one takes the place of. What it has confirmed others may have in use: its share of that stays until a later one is in use here. */
  #dropped(terms: CeremonyTerms): RecordChange[] {
    return this.#rivals(terms)
      .filter(({ confirmation }) => confirmation === null)
      .map(removal);
  }

  /** Whether a share of the same key is in use that is later than that of the ceremony. */
  #isPast({ scheme, generation }: CeremonyTerms, { commitments: [key] }: PublicCluster): boolean {
    return sharesOf(this.#own.memory, scheme).some(
      ({ cluster }) => key !== undefined && cluster.commitments[0] === key && cluster.generation > generation,
    );
  }

  /** Ceremonies of the same key that are earlier than one that is in use: nobody needs them any more. */
  #outdated(terms: CeremonyTerms, { commitments: [key] }: PublicCluster): RecordChange[] {
    return this.#records()
      .filter(({ terms: { scheme, generation } }) => scheme === terms.scheme && generation < terms.generation)
      .filter((record) => key !== undefined && keyOf(record) === key)
      .map(removal);
  }

  #rivals(terms: CeremonyTerms): CeremonyRecord[] {
    const key = terms.from?.commitments[0];
    return this.#records()
      .filter((record) => ceremonyHash(record.terms) !== ceremonyHash(terms))
      .filter(({ activated }) => activated === null)
      .filter((record) => record.terms.scheme === terms.scheme && record.terms.from?.commitments[0] === key);
  }

  #records(): CeremonyRecord[] {
    const { memory } = this.#own;
    return memory.ids('ceremony').map((id) => JSON.parse(memory.read('ceremony', id) ?? '') as CeremonyRecord);
  }

  #record(terms: CeremonyTerms): CeremonyRecord | null {
    const text = this.#own.memory.read('ceremony', ceremonyHash(terms));
    return text === null ? null : (JSON.parse(text) as CeremonyRecord);
  }

  #keep(record: CeremonyRecord, others: readonly RecordChange[] = []): void {
    const { memory, roster } = this.#own;
    const isUnknown = roster === null && memory.read('roster', ROSTER) === null;
    const pinned: RecordChange = { kind: 'roster', id: ROSTER, text: JSON.stringify(record.terms.roster) };
    memory.write([...(isUnknown ? [pinned] : []), ...others, recordChange(record)]);
  }

  #identity(): SignerIdentity {
    return signerIdentity(this.#own.memory);
  }
}

/** Who of the five has not confirmed the same share of the same ceremony; null where all have. */
function confirmationsFault(
  terms: CeremonyTerms,
  confirmations: readonly Confirmation[],
  transcript: string,
): { readonly culprit: number | null; readonly reason: string } | null {
  if (confirmations.length !== CLUSTER_SIZE) return { culprit: null, reason: 'not all five have confirmed' };
  const hash = ceremonyHash(terms);
  const first = JSON.stringify(clusterFields((confirmations[0] as Confirmation).cluster));
  for (const [number, said] of confirmations.entries()) {
    const isSame = said.transcript === transcript && JSON.stringify(clusterFields(said.cluster)) === first;
    const isRight = isStatementOf(terms.roster[number] ?? '', confirmedStatement(hash, said), said.signature);
    if (said.signer !== number || !isRight) return { culprit: number, reason: 'its confirmation is not signed by it' };
    if (!isSame) return { culprit: number, reason: 'it has confirmed another key' };
  }
  return null;
}

function newRecord(terms: CeremonyTerms): CeremonyRecord {
  const nothing = { polynomial: null, deal: null, sealed: null, pending: null, confirmation: null };
  return { terms, ...nothing, activated: null, confirmed: null };
}

function recordChange(record: CeremonyRecord): RecordChange {
  return { kind: 'ceremony', id: ceremonyHash(record.terms), text: JSON.stringify(record) };
}

function removal({ terms }: CeremonyRecord): RecordChange {
  return { kind: 'ceremony', id: ceremonyHash(terms), text: null };
}

/** What a group has in common over all generations; null of a key that is not made yet. */
function keyOf({ terms, activated }: CeremonyRecord): string | null {
  return (activated ?? terms.from)?.commitments[0] ?? null;
}

function envelopeContext(transcript: string, dealer: number, signer: number): string {
  return `${transcript} ${dealer} ${signer}`;
}

function refused(reason: string): { readonly ok: false; readonly reason: string; readonly culprit: null } {
  return { ok: false, reason, culprit: null };
}

function accused(
  culprit: number,
  reason: string,
): { readonly ok: false; readonly reason: string; readonly culprit: number } {
  return { ok: false, reason, culprit };
}
