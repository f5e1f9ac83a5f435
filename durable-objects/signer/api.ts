import { z } from 'zod';
import type { HostedSigner } from '../../domain/bridge/signing/hosted-signer.ts';
import { CLUSTER_SIZE } from '../../domain/bridge/transfer.ts';
import { remoteSigner } from './remote-signer.ts';

/** Who answers nothing for so long is away: it asks several chains before it says anything. */
const ANSWER_WAIT_MS = 30_000;

/** Where signers live, by their numbers: `object`, or the address of a process or a Worker. */
const Places = z.array(z.union([z.literal('object'), z.url({ protocol: /^https?$/ })])).length(CLUSTER_SIZE);
/** Those of every organization, or of the organizations that it names. */
const PlacesByOrganization = z.record(z.string(), Places);
const Tokens = z.record(z.string(), z.string());

interface SignerObject extends HostedSigner {
  lookAtPlaces(): Promise<void>;
}

interface SignersEnv {
  readonly BRIDGE_SIGNER?: { getByName(name: string): unknown };
  /** `objects`, `Places` as JSON, or `PlacesByOrganization`: organizations that it does not name have objects. */
  readonly BRIDGE_SIGNERS?: string;
  /** Opens signers in processes of their own: one for all, or a JSON object from organization to its own. */
  readonly BRIDGE_SIGNER_TOKEN?: string;
}

/**
 * An organization's five signers, each in its object or its process. A call that is not answered in time throws.
 *
 * @throws Error where BRIDGE_SIGNERS does not say where they are
 */
export function signersOf(env: SignersEnv, organization: string): readonly HostedSigner[] {
  const { BRIDGE_SIGNERS: signers = 'objects' } = env;
  const places = placesOf(signers, organization);
  return Array.from({ length: CLUSTER_SIZE }, (_, number) => {
    const place = places?.[number] ?? 'object';
    return inTime(() => signerAt(env, organization, number, place));
  });
}

/** Has the signers of an organization that live in objects look at its places. @returns those that did not, or do not take them */
export async function lookAtPlaces(
  env: SignersEnv,
  organization: string,
): Promise<{ readonly signer: number; readonly reason: string }[]> {
  const places = placesOf(env.BRIDGE_SIGNERS ?? 'objects', organization);
  const numbers = Array.from({ length: CLUSTER_SIZE }, (_, number) => number);
  const objects = numbers.filter((number) => (places?.[number] ?? 'object') === 'object');
  const looks = objects.map((number) => answerOf(() => objectOf(env, organization, number).lookAtPlaces()));
  const outcomes = await Promise.allSettled(looks);
  return outcomes.flatMap((outcome, index) =>
    outcome.status === 'rejected' ? { signer: objects[index] ?? 0, reason: String(outcome.reason) } : [],
  );
}

function placesOf(signers: string, organization: string): readonly string[] | undefined {
  if (signers === 'objects') return undefined;
  const json: unknown = JSON.parse(signers);
  return Array.isArray(json) ? Places.parse(json) : PlacesByOrganization.parse(json)[organization];
}

/** Whether none of an organization's signers is the exchange's: five addresses are named, each another. */
export function hasOwnSigners({ BRIDGE_SIGNERS: signers = 'objects' }: SignersEnv, organization: string): boolean {
  const places = placesOf(signers, organization);
  return places?.every((place) => place !== 'object') === true && new Set(places).size === CLUSTER_SIZE;
}

function tokenOf(token: string, organization: string): string {
  if (!token.startsWith('{')) return token;
  const tokens = Tokens.parse(JSON.parse(token));
  return Object.hasOwn(tokens, organization) ? (tokens[organization] ?? '') : '';
}

/** An object's stub is a fresh one for each call: after an exception it stays broken. */
function signerAt(env: SignersEnv, organization: string, number: number, place: string): HostedSigner {
  if (place !== 'object')
    return remoteSigner(place, organization, tokenOf(env.BRIDGE_SIGNER_TOKEN ?? '', organization));
  return objectOf(env, organization, number);
}

function objectOf(env: SignersEnv, organization: string, number: number): SignerObject {
  if (env.BRIDGE_SIGNER === undefined) throw new Error('there are no objects of signers here');
  return env.BRIDGE_SIGNER.getByName(`${organization}/${number}`) as SignerObject;
}

function inTime(signer: () => HostedSigner): HostedSigner {
  return {
    identity: () => answerOf(() => signer().identity()),
    clusters: () => answerOf(() => signer().clusters()),
    knownPlaces: (terms) => answerOf(() => signer().knownPlaces(terms)),
    attestFunds: (...args) => answerOf(() => signer().attestFunds(...args)),
    notePaidOut: (paidOut) => answerOf(() => signer().notePaidOut(paidOut)),
    knowsReference: (job) => answerOf(() => signer().knowsReference(job)),
    offer: (job, session) => answerOf(() => signer().offer(job, session)),
    sign: (job, session, offers) => answerOf(() => signer().sign(job, session, offers)),
    deal: (terms) => answerOf(() => signer().deal(terms)),
    seal: (terms, deals) => answerOf(() => signer().seal(terms, deals)),
    take: (terms, deals, sealed) => answerOf(() => signer().take(terms, deals, sealed)),
    confirmations: (terms) => answerOf(() => signer().confirmations(terms)),
    unfinished: () => answerOf(() => signer().unfinished()),
    activate: (terms, confirmations) => answerOf(() => signer().activate(terms, confirmations)),
  };
}

/** @throws Error where it does not come */
async function answerOf<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer in ${ANSWER_WAIT_MS} ms`)), ANSWER_WAIT_MS);
  });
  try {
    return await Promise.race([ask(), late]);
  } finally {
    clearTimeout(timer);
  }
}
