import { type OperatorAction, recordOperatorAction } from '../../data/audit/trail/operator-events.ts';
import { database } from '../../data/database.ts';
import { type LieProof, lieProofs } from '../../domain/bridge/signing/lie-proof.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import { ChainAway, chainsOf } from '../../durable-objects/bridge-chains/chains-of.ts';
import { bridgeTransferOf, type TransferWords } from '../../durable-objects/transfer/api.ts';
import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';
import { askAgain } from '../objects/ask-again.ts';

type ProofEnv = Pick<Env, 'DB' | 'BRIDGE_TRANSFER' | 'CHAINS'>;

/** Which of a transfer's signers, and what it is to be slashed for. */
export interface StatedProof {
  readonly transfer: string;
  readonly signer: number;
  readonly kind: LieProof['kind'];
}

const REFUSED = {
  no_proof: 'the chain takes no such proof',
  not_due: 'the burn may come until a day after its quote has ended',
} as const;

/** What signers have said of a transfer's funds; null where there is no such transfer. */
export function readWords(env: Pick<Env, 'BRIDGE_TRANSFER'>, transfer: string): Promise<TransferWords | null> {
  return askAgain(() => bridgeTransferOf(env, transfer).words());
}

/** Has a signer slashed by its own words, as the relayer. Where it is slashed already, that is the answer, too. */
export async function bringProof(
  env: ProofEnv,
  { transfer, signer, kind }: StatedProof,
  action: OperatorAction,
): Promise<Result<'slashed', ApiError>> {
  const kept = await readWords(env, transfer);
  if (kept === null) return err(apiError('NOT_FOUND', 'no such transfer'));
  const proofs = lieProofs(kept.words).filter((proof) => proof.kind === kind && proof.words[0].signer === signer);
  if (proofs.length === 0) return err(apiError('CONFLICT', 'the words of the signer prove nothing of the kind'));
  await recordOperatorAction(database(env.DB), {
    action,
    type: 'operator.bridge_proof_brought',
    subject: transfer,
    createdAt: Date.now(),
    details: {
      organization: kept.organization,
      signer,
      kind,
      accounts: proofs.map(({ words: [{ account }] }) => account),
    },
    before: null,
    after: null,
  });
  const chains = chainsOf(env);
  let refusal: keyof typeof REFUSED = 'no_proof';
  try {
    for (const proof of proofs) {
      const outcome = await chains.proveLie(proof);
      if (outcome === 'slashed') return ok(outcome);
      refusal = outcome;
    }
  } catch (error) {
    if (!(error instanceof ChainAway)) throw error;
    return err(
      apiError('SERVICE_UNAVAILABLE', 'the chain of the stake does not answer now', { transfer_id: transfer }),
    );
  }
  return err(apiError('CONFLICT', REFUSED[refusal], { reason: refusal }));
}
