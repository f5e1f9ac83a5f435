import { placesDigest, type TransferPlaces } from '../../domain/bridge/places/transfer-places.ts';
import { CLUSTER_THRESHOLD } from '../../domain/bridge/transfer.ts';
import type { TransferTerms } from '../../domain/bridge/transfer-terms.ts';
import { signersOf } from '../../durable-objects/signer/api.ts';
import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';

type SignersEnv = Pick<Env, 'BRIDGE_SIGNER' | 'BRIDGE_SIGNERS' | 'BRIDGE_SIGNER_TOKEN'>;
type Word = 'agrees' | 'disagrees' | 'away';

/** Why a transfer does not begin: fewer than three signers would look where its funds are to be paid in. Null where three do. */
export async function placesRefusal(
  env: SignersEnv,
  terms: TransferTerms,
  places: TransferPlaces,
): Promise<ApiError | null> {
  const digest = placesDigest(places);
  const words = signersOf(env, terms.organization).map(async (signer): Promise<Word> => {
    const known = await signer.knownPlaces(terms).catch(() => null);
    if (known === null || (!known.ok && known.kind === 'not_yet')) return 'away';
    return known.ok && known.value === digest ? 'agrees' : 'disagrees';
  });
  const { agrees, disagrees } = await counted(words);
  if (agrees >= CLUSTER_THRESHOLD) return null;
  return disagrees >= CLUSTER_THRESHOLD
    ? apiError('CONFLICT', 'the signers know other places of this asset', { reason: 'places' })
    : apiError('SERVICE_UNAVAILABLE', 'too few signers know the places of this asset now', { transfer_id: terms.id });
}

/** Ends with the third that agrees: nobody waits for one that is silent. */
function counted(words: readonly Promise<Word>[]): Promise<Readonly<Record<Word, number>>> {
  const count = { agrees: 0, disagrees: 0, away: 0 };
  return new Promise((resolve) => {
    for (const word of words)
      void word.then((said) => {
        count[said] += 1;
        const all = count.agrees + count.disagrees + count.away;
        if (count.agrees >= CLUSTER_THRESHOLD || all === words.length) resolve({ ...count });
      });
  });
}
