import type { PublicCluster } from '../key-share.ts';
import type { CeremonyAnswer, CeremonySigner, CeremonyTerms, Confirmation } from './ceremony.ts';

/** Who said that a signer's package is wrong. One of the two lies, or the package was changed on its way: somebody has to look. */
export interface CeremonyFault {
  readonly by: number;
  /** Null where the signer blames nobody. */
  readonly culprit: number | null;
  readonly reason: string;
}

/** What a ceremony came to. Signers in `waiting` have their share and have not yet heard that it is in use: the same ceremony, run again, tells them. */
export type CeremonyOutcome =
  | { readonly ok: true; readonly cluster: PublicCluster; readonly waiting: readonly number[] }
  | { readonly ok: false; readonly faults: readonly CeremonyFault[] };

/**
 * Takes a ceremony through its rounds. Run again with the same terms it goes on where it was, so whoever runs it keeps the terms alone. It sees no secret and cannot
 * change a package without being noticed.
 *
 * @param dealers of `terms.dealers`, in their order
 * @param signers the five of the cluster to be, by number
 */
export async function runCeremony(
  terms: CeremonyTerms,
  dealers: readonly CeremonySigner[],
  signers: readonly CeremonySigner[],
): Promise<CeremonyOutcome> {
  const known = await inUse(terms, dealers, signers);
  if (known !== null) return known;
  const numbers = terms.dealers.map(({ signer }) => signer);
  const deals = await all(numbers, dealers, (dealer) => dealer.deal(terms));
  if (!deals.ok) return deals;
  const sealed = await all(numbers, dealers, (dealer) => dealer.seal(terms, deals.values));
  if (!sealed.ok) return sealed;
  const five = signers.map((_, number) => number);
  const taken = await all(five, signers, (signer) => signer.take(terms, deals.values, sealed.values));
  if (!taken.ok) return taken;
  return takeIntoUse(terms, dealers, signers, taken.values);
}

/** One of them has it in use: the word of all five is there, and nobody has to say it again, who may be lost by now. */
async function inUse(
  terms: CeremonyTerms,
  dealers: readonly CeremonySigner[],
  signers: readonly CeremonySigner[],
): Promise<CeremonyOutcome | null> {
  const five = signers.map((_, number) => number);
  for (const { answer } of await each(five, signers, (signer) => signer.confirmations(terms))) {
    if (answer?.ok !== true) continue;
    const outcome = await takeIntoUse(terms, dealers, signers, answer.value);
    if (outcome.ok) return outcome;
  }
  return null;
}

async function takeIntoUse(
  terms: CeremonyTerms,
  dealers: readonly CeremonySigner[],
  signers: readonly CeremonySigner[],
  confirmations: readonly Confirmation[],
): Promise<CeremonyOutcome> {
  const [first] = confirmations;
  if (first === undefined) return { ok: false, faults: [] };
  const five = signers.map((_, number) => number);
  const numbers = terms.dealers.map(({ signer }) => signer);
  const told = await each(five, signers, (signer) => signer.activate(terms, confirmations));
  const leaving = dealers.filter((dealer) => !signers.includes(dealer));
  const left = await each(numbers, leaving, (dealer) => dealer.activate(terms, confirmations));
  const refusals = [...told, ...left].flatMap(({ by, answer }) =>
    answer === null || answer.ok ? [] : [{ by, ...answer }],
  );
  if (refusals.length > 0)
    return { ok: false, faults: refusals.map(({ by, culprit, reason }) => ({ by, culprit, reason })) };
  const waiting = told.filter(({ answer }) => answer === null).map(({ by }) => by);
  return { ok: true, cluster: first.cluster, waiting };
}

type Heard<Value> = { readonly by: number; readonly answer: CeremonyAnswer<Value> | null };

async function each<Value>(
  numbers: readonly number[],
  signers: readonly CeremonySigner[],
  ask: (signer: CeremonySigner) => Promise<CeremonyAnswer<Value>>,
): Promise<Heard<Value>[]> {
  return Promise.all(
    signers.map(async (signer, index) => ({
      by: numbers[index] ?? index,
      answer: await ask(signer).catch(() => null),
    })),
  );
}

async function all<Value>(
  numbers: readonly number[],
  signers: readonly CeremonySigner[],
  ask: (signer: CeremonySigner) => Promise<CeremonyAnswer<Value>>,
): Promise<{ ok: true; values: Value[] } | { ok: false; faults: CeremonyFault[] }> {
  const heard = await each(numbers, signers, ask);
  const faults = heard.flatMap(({ by, answer }): CeremonyFault[] => {
    if (answer === null) return [{ by, culprit: by, reason: 'it does not answer' }];
    return answer.ok ? [] : [{ by, culprit: answer.culprit, reason: answer.reason }];
  });
  if (faults.length > 0) return { ok: false, faults };
  return { ok: true, values: heard.flatMap(({ answer }) => (answer?.ok ? [answer.value] : [])) };
}
