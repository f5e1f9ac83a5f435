import type { SigningScheme } from '../../chains/chain-adapter.ts';
import { CLUSTER_SIZE, CLUSTER_THRESHOLD } from '../../transfer.ts';
import { clusterKeys, type PublicCluster, tweakableKey } from '../key-share.ts';
import { type CeremonySigner, type CeremonyTerms, type Dealer, GENERATIONS_AHEAD_MAX } from './ceremony.ts';
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

/** Ceremonies that were cut short and are gone on with in one run. */
const CARRIED_ON_MAX = 16;

/** What the five say of themselves and of their keys. Up to two of them may make it up: a key counts where three have it, and a number as `latestOf` has it. */
interface Standing {
  readonly roster: readonly string[];
  /** Of each signer its keys of the scheme, each once. */
  readonly held: readonly (readonly PublicCluster[])[];
  /** Ceremonies of the scheme that were cut short, of each signer. */
  readonly open: readonly (readonly CeremonyTerms[])[];
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
  const standing = cutShort(before).length === 0 ? before : await standingOf(scheme, signers);
  if (standing === null) return away();
  // The ceremony that was cut short was this one.
  if (carriedOn !== null && isOfNow(carriedOn, standing)) return { ok: true, cluster: carriedOn.cluster };
  const keys = keysOf(standing);
  if (keys.length === 0) return standing.held.flat().length === 0 ? { ok: false, reason: 'no_key' } : away();
  let generation = latestOf(standing);
  let last: PublicCluster | null = null;
  for (const from of keys) {
    const dealers = dealersOf(standing, from);
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
  const latest = latestOf(standing);
  const isCutShort = standing.open
    .flat()
    .some(
      ({ kind, roster, generation }) =>
        kind === 'make' && roster.join() === standing.roster.join() && generation === latest,
    );
  const generation = isCutShort ? latest : latest + 1;
  const dealers = standing.roster.map((key, signer): Dealer => ({ signer, key }));
  const shape = { id: `${scheme}.${generation}`, organization, scheme, generation } as const;
  return carryOut({ ...shape, kind: 'make', roster: standing.roster, dealers, from: null }, signers);
}

/** Keys that three of the signers say they have. Each signer counts once, however often it says the same: a key that fewer have they may have made up. */
export async function heldByThree(signers: readonly KeyHolder[]): Promise<readonly PublicCluster[]> {
  const held = await Promise.all(signers.map((signer) => signer.clusters().catch(() => [])));
  const holders = (cluster: PublicCluster) => held.filter((own) => own.some((other) => isSame(other, cluster)));
  return onceEach(held.flat()).filter((cluster) => holders(cluster).length >= CLUSTER_THRESHOLD);
}

async function standingOf(scheme: SigningScheme, signers: readonly KeyHolder[]): Promise<Standing | null> {
  if (signers.length !== CLUSTER_SIZE) throw new RangeError(`a cluster has ${CLUSTER_SIZE} signers`);
  const [identities, held, open] = await Promise.all([
    Promise.all(signers.map((signer) => signer.identity().catch(() => null))),
    Promise.all(signers.map((signer) => signer.clusters().catch(() => null))),
    Promise.all(signers.map((signer) => signer.unfinished().catch(() => []))),
  ]);
  const roster = identities.filter((identity) => identity !== null);
  // A key whose holders do not answer now must not seem to be one that nobody can deal.
  if (roster.length < CLUSTER_SIZE || held.some((clusters) => clusters === null)) return null;
  return {
    roster,
    held: held.map((clusters) => onceEach((clusters ?? []).filter((cluster) => cluster.scheme === scheme))),
    open: open.map((ceremonies) => onceEach(ceremonies.filter((terms) => terms.scheme === scheme))),
  };
}

function onceEach<Value>(values: readonly Value[]): readonly Value[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}

/** Keys that are being dealt again, the latest first. A new key that was cut short is none: nobody has asked for it here. */
function cutShort(standing: Standing): readonly CeremonyTerms[] {
  return onceEach(standing.open.flat())
    .filter(({ from }) => from !== null && isHeldByThree(standing, from))
    .toSorted((one, other) => other.generation - one.generation)
    .slice(0, CARRIED_ON_MAX);
}

/** Whether three have a key, in whatever generation: some may have the next one in use. */
function isHeldByThree({ held }: Standing, cluster: PublicCluster): boolean {
  const key = tweakableKey(clusterKeys(cluster));
  const holders = held.filter((clusters) => clusters.some((each) => tweakableKey(clusterKeys(each)) === key));
  return holders.length >= CLUSTER_THRESHOLD;
}

/** Goes on with what was cut short: one that somebody has in use ends, whoever of the five is lost since. */
async function carryOn(standing: Standing, signers: readonly KeyHolder[]) {
  for (const terms of cutShort(standing)) {
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

/** Each key that three of the five have, and so can deal, in its latest generation; the oldest key first. What fewer have they may have made up. */
function keysOf(standing: Standing): readonly PublicCluster[] {
  const byKey = new Map<string, PublicCluster>();
  for (const cluster of inOrder(onceEach(standing.held.flat())))
    if (dealersOf(standing, cluster).length >= CLUSTER_THRESHOLD)
      byKey.set(tweakableKey(clusterKeys(cluster)), cluster);
  return inOrder([...byKey.values()]);
}

function inOrder(clusters: readonly PublicCluster[]): readonly PublicCluster[] {
  return clusters.toSorted((one, other) => one.generation - other.generation);
}

function dealersOf({ roster, held }: Standing, from: PublicCluster): Dealer[] {
  return held.flatMap((clusters, signer): Dealer[] => {
    const key = roster[signer];
    return key !== undefined && clusters.some((cluster) => isSame(cluster, from)) ? [{ signer, key }] : [];
  });
}

/** No later one was ever begun, as far as the five know: numbers that are far beyond what three of them say are made up, since one of the three is honest. */
function latestOf({ held, open }: Standing): number {
  const told = held.map((clusters, signer) =>
    [...clusters, ...(open[signer] ?? [])].map(({ generation }) => generation),
  );
  const each = told.map((generations) => Math.max(0, ...generations)).toSorted((one, other) => other - one);
  const most = (each[CLUSTER_THRESHOLD - 1] ?? 0) + GENERATIONS_AHEAD_MAX;
  return Math.max(0, ...told.flat().filter((generation) => generation <= most));
}

function isSame(one: PublicCluster, other: PublicCluster): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function away(): KeyOutcome {
  return { ok: false, reason: 'away' };
}
