import type { SigningScheme } from '../../chains/chain-adapter.ts';
import { CLUSTER_SIZE, CLUSTER_THRESHOLD } from '../../transfer.ts';
import { clusterKeys, type PublicCluster, tweakableKey } from '../key-share.ts';
import type { CeremonySigner, CeremonyTerms, Dealer } from './ceremony.ts';
import { type CeremonyFault, runCeremony } from './run-ceremony.ts';

/** A signer as whoever runs ceremonies asks it. */
export interface KeyHolder extends CeremonySigner {
  clusters(): Promise<readonly PublicCluster[]>;
}

export interface KeyTerms {
  readonly organization: string;
  readonly scheme: SigningScheme;
  /** The five of now, by number. One that is lost is replaced by another, whose memory is empty. */
  readonly signers: readonly KeyHolder[];
}

/** `away`: not all five answer, or too few of those who have the key. `no_key`: none of them has one. */
export type KeyOutcome =
  | { readonly ok: true; readonly cluster: PublicCluster }
  | { readonly ok: false; readonly reason: 'away' | 'no_key' }
  | {
      readonly ok: false;
      readonly reason: 'faults';
      readonly faults: readonly CeremonyFault[];
    };

/** What the five say of themselves and of their keys. */
interface Standing {
  readonly roster: readonly string[];
  /** Of each signer its keys of the scheme; none where it is away. */
  readonly held: readonly (readonly PublicCluster[])[];
  /** Ceremonies of the scheme that were cut short, the latest first. */
  readonly open: readonly CeremonyTerms[];
}

/**
 * Has five signers deal every key of a scheme again, to those of now: the same, or others in the place of those that are lost. What was cut short is gone on with before. Old keys are dealt, too: funds may
 * lie at their addresses.
 *
 * @returns the cluster of the newest key
 */
export async function reshareKeys({ organization, scheme, signers }: KeyTerms): Promise<KeyOutcome> {
  const before = await standingOf(scheme, signers);
  if (before === null) return away();
  const carriedOn = await carryOn(before, signers);
  // Also one that did not end may be in use by more than before: who took a lost one's place has no part in it.
  const standing = before.open.length === 0 ? before : await standingOf(scheme, signers);
  if (standing === null) return away();
  // The ceremony that was cut short was this one.
  if (carriedOn !== null && isOfNow(carriedOn, standing)) return { ok: true, cluster: carriedOn.cluster };
  const keys = keysOf(standing);
  if (keys.length === 0) return { ok: false, reason: 'no_key' };
  let generation = latestOf(standing);
  let last: PublicCluster | null = null;
  for (const from of keys) {
    const dealers = dealersOf(standing, from);
    if (dealers.length < CLUSTER_THRESHOLD) return away();
    generation += 1;
    const shape = { id: `${scheme}.${generation}`, organization, scheme, generation } as const;
    const terms = { ...shape, kind: 'reshare', roster: standing.roster, dealers, from } as const;
    const outcome = await carryOut(terms, signers);
    if (!outcome.ok) return outcome;
    last = outcome.cluster;
  }
  return last === null ? { ok: false, reason: 'no_key' } : { ok: true, cluster: last };
}

/** Has the five make a key, beside those that there are. One that was cut short is gone on with. */
export async function makeNextKey({ organization, scheme, signers }: KeyTerms): Promise<KeyOutcome> {
  const standing = await standingOf(scheme, signers);
  if (standing === null) return away();
  const cutShort = standing.open.find(
    ({ kind, roster, generation }) =>
      kind === 'make' && roster.join() === standing.roster.join() && generation === latestOf(standing),
  );
  const generation = cutShort?.generation ?? latestOf(standing) + 1;
  const dealers = standing.roster.map((key, signer): Dealer => ({ signer, key }));
  const shape = { id: `${scheme}.${generation}`, organization, scheme, generation } as const;
  return carryOut({ ...shape, kind: 'make', roster: standing.roster, dealers, from: null }, signers);
}

async function standingOf(scheme: SigningScheme, signers: readonly KeyHolder[]): Promise<Standing | null> {
  if (signers.length !== CLUSTER_SIZE) throw new RangeError(`a cluster has ${CLUSTER_SIZE} signers`);
  const [identities, held, open] = await Promise.all([
    Promise.all(signers.map((signer) => signer.identity().catch(() => null))),
    Promise.all(signers.map((signer) => signer.clusters().catch(() => []))),
    Promise.all(signers.map((signer) => signer.unfinished().catch(() => []))),
  ]);
  const roster = identities.filter((identity) => identity !== null);
  if (roster.length < CLUSTER_SIZE) return null;
  const cutShort = new Map(
    open
      .flat()
      .filter((terms) => terms.scheme === scheme)
      .map((terms) => [JSON.stringify(terms), terms] as const),
  );
  return {
    roster,
    held: held.map((clusters) => clusters.filter((cluster) => cluster.scheme === scheme)),
    open: [...cutShort.values()].toSorted((one, other) => other.generation - one.generation),
  };
}

/** Goes on with what was cut short, the latest first: one that somebody has in use ends, whoever of the five is lost since. */
async function carryOn({ open }: Standing, signers: readonly KeyHolder[]) {
  for (const terms of open) {
    const outcome = await carryOut(terms, signers);
    if (outcome.ok) return { terms, cluster: outcome.cluster };
  }
  return null;
}

function isOfNow(
  { terms, cluster }: { readonly terms: CeremonyTerms; readonly cluster: PublicCluster },
  standing: Standing,
): boolean {
  return (
    terms.kind === 'reshare' &&
    keysOf(standing).length === 1 &&
    standing.held.every((clusters) => clusters.some((each) => isSame(each, cluster)))
  );
}

/**
 * Takes a ceremony to where its key may be used: three have it in use. With fewer, those who know the word of all five could be the two that are lost, and nobody could use the shares that the others have.
 */
export async function carryOut(terms: CeremonyTerms, signers: readonly KeyHolder[]): Promise<KeyOutcome> {
  const dealers = terms.dealers.map(({ signer }) => signers[signer] as KeyHolder);
  const outcome = await runCeremony(terms, dealers, signers);
  if (outcome.ok && outcome.waiting.length > CLUSTER_SIZE - CLUSTER_THRESHOLD) return away();
  return outcome.ok ? { ok: true, cluster: outcome.cluster } : { ok: false, reason: 'faults', faults: outcome.faults };
}

/** Each key in the latest generation that enough of the five can deal, the oldest key first. */
function keysOf({ held }: Standing): readonly PublicCluster[] {
  const counted = new Map<string, { readonly cluster: PublicCluster; count: number }>();
  for (const cluster of held.flat()) {
    const text = JSON.stringify(cluster);
    const known = counted.get(text) ?? { cluster, count: 0 };
    counted.set(text, { ...known, count: known.count + 1 });
  }
  const byKey = new Map<string, { readonly cluster: PublicCluster; readonly count: number }>();
  for (const each of [...counted.values()].toSorted(
    (one, other) => one.cluster.generation - other.cluster.generation,
  )) {
    const key = tweakableKey(clusterKeys(each.cluster));
    const known = byKey.get(key);
    if (known === undefined || each.count >= CLUSTER_THRESHOLD || known.count < CLUSTER_THRESHOLD) byKey.set(key, each);
  }
  const chosen = [...byKey.values()].map(({ cluster }) => cluster);
  return chosen.toSorted((one, other) => one.generation - other.generation);
}

function dealersOf({ roster, held }: Standing, from: PublicCluster): Dealer[] {
  return held.flatMap((clusters, signer): Dealer[] => {
    const key = roster[signer];
    return key !== undefined && clusters.some((cluster) => isSame(cluster, from)) ? [{ signer, key }] : [];
  });
}

/** No later one was ever begun, as far as the five know. */
function latestOf({ held, open }: Standing): number {
  return Math.max(0, ...held.flat().map(({ generation }) => generation), ...open.map(({ generation }) => generation));
}

function isSame(one: PublicCluster, other: PublicCluster): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function away(): KeyOutcome {
  return { ok: false, reason: 'away' };
}
