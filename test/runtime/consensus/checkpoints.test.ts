import { expect, test } from 'vitest';
import { blockOf, settlement } from '../../../domain/consensus/chain.fixtures.ts';
import blsModule from '../../../domain/consensus/checkpoints/bls.wasm';
import { nobleBls } from '../../../domain/consensus/checkpoints/bls-noble.ts';
import { wasmBls } from '../../../domain/consensus/checkpoints/bls-wasm.ts';
import { CheckpointCommittee } from '../../../domain/consensus/checkpoints/checkpoint.fixtures.ts';
import { checkpointCertificateFault } from '../../../domain/consensus/checkpoints/checkpoint-certificate.ts';
import { checkpointKeysFault } from '../../../domain/consensus/checkpoints/checkpoint-keys.ts';
import { nobleMlDsa } from '../../../domain/consensus/checkpoints/ml-dsa-noble.ts';
import { verifyEd25519 } from '../../../domain/consensus/ed25519.ts';

test('a checkpoint is certified in the Workers runtime by the bundled module, as the other library sees it', async () => {
  const crypto = { bls: wasmBls(blsModule), mlDsa: nobleMlDsa };
  const signers = await CheckpointCommittee.of(crypto);
  const { signing, keys } = signers;
  expect(await checkpointKeysFault(keys, signing.committee, crypto, verifyEd25519)).toBeNull();
  const checkpoint = signers.checkpoint(null, [(await blockOf(signing.hash, null, [settlement(1)])).header]);
  const certificate = signers.certificate(checkpoint);
  expect(checkpointCertificateFault(certificate, checkpoint, keys, crypto)).toBeNull();
  expect(checkpointCertificateFault(certificate, checkpoint, keys, { ...crypto, bls: nobleBls })).toBeNull();
  const other = { ...checkpoint, lastHeight: 2 };
  const bls = signers.certificate(other).bls;
  expect(checkpointCertificateFault({ ...certificate, bls }, checkpoint, keys, crypto)).toContain('BLS');
});
