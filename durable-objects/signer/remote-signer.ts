import type { HostedSigner } from '../../domain/bridge/signing/hosted-signer.ts';
import { SIGNER_CALL_BYTES_MAX, SIGNER_CALLS, type SignerCall } from '../../protocol/bridge/signer-calls.ts';

/** Who answers nothing for so long is away: it asks several chains before it says anything. */
const ANSWER_WAIT_MS = 30_000;

/** A signer in a process of its own, behind HTTP (containers/bridge-signer). Each call throws where it does not answer as it should. */
export function remoteSigner(url: string, organization: string, token: string): HostedSigner {
  async function ask<Call extends SignerCall>(call: Call, ...args: unknown[]): Promise<unknown> {
    const response = await fetch(
      new URL(`v1/${encodeURIComponent(organization)}/${call}`, url.endsWith('/') ? url : `${url}/`),
      {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(args),
        redirect: 'manual',
        signal: AbortSignal.timeout(ANSWER_WAIT_MS),
      },
    );
    if (Number(response.headers.get('content-length') ?? 0) > SIGNER_CALL_BYTES_MAX)
      throw new Error(`${call}: the answer is too long`);
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${call}: ${response.status} ${text.slice(0, 200)}`);
    return JSON.parse(text);
  }
  const {
    identity,
    clusters,
    knownPlaces,
    attestFunds,
    notePaidOut,
    knowsReference,
    offer,
    sign,
    deal,
    seal,
    take,
    unfinished,
    confirmations,
    activate,
  } = SIGNER_CALLS;
  return {
    identity: async () => identity.answered.parse(await ask('identity')),
    clusters: async () => clusters.answered.parse(await ask('clusters')),
    knownPlaces: async (terms) => knownPlaces.answered.parse(await ask('knownPlaces', terms)),
    attestFunds: async (...args) => attestFunds.answered.parse(await ask('attestFunds', ...args)),
    notePaidOut: async (paidOut) => notePaidOut.answered.parse(await ask('notePaidOut', paidOut)),
    knowsReference: async (job) => knowsReference.answered.parse(await ask('knowsReference', job)),
    offer: async (...args) => offer.answered.parse(await ask('offer', ...args)),
    sign: async (...args) => sign.answered.parse(await ask('sign', ...args)),
    deal: async (terms) => deal.answered.parse(await ask('deal', terms)),
    seal: async (...args) => seal.answered.parse(await ask('seal', ...args)),
    take: async (...args) => take.answered.parse(await ask('take', ...args)),
    confirmations: async (terms) => confirmations.answered.parse(await ask('confirmations', terms)),
    unfinished: async () => unfinished.answered.parse(await ask('unfinished')),
    activate: async (...args) => activate.answered.parse(await ask('activate', ...args)),
  };
}
