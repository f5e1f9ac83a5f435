import { expect, test } from 'vitest';
import { loadCheckpointCrypto } from '../../../containers/validator/load-checkpoint-crypto.ts';
import { blockOf, settlement } from '../../../domain/consensus/chain.fixtures.ts';
import { CheckpointCommittee } from '../../../domain/consensus/checkpoints/checkpoint.fixtures.ts';
import { checkpointPath } from '../../../domain/consensus/checkpoints/checkpoint.ts';
import {
  checkpointCertificate,
  checkpointCertificateFault,
} from '../../../domain/consensus/checkpoints/checkpoint-certificate.ts';
import { checkpointKeysHash } from '../../../domain/consensus/checkpoints/checkpoint-keys.ts';
import { type CheckpointProof, checkpointProofFault } from '../../../domain/consensus/checkpoints/checkpoint-proof.ts';
import { checkpointVote } from '../../../domain/consensus/checkpoints/checkpoint-vote.ts';
import { verifyEd25519 } from '../../../domain/consensus/ed25519.ts';

const crypto = loadCheckpointCrypto();
const signers = await CheckpointCommittee.of(crypto);
const { signing, keys } = signers;
const first = (await blockOf(signing.hash, null, [settlement(1)])).header;
const second = (await blockOf(signing.hash, first, [settlement(2)])).header;
const third = (await blockOf(signing.hash, second, [settlement(3)])).header;
const blocks = [first, second, third];
const checkpoint = signers.checkpoint(null, blocks);
const proof: CheckpointProof = {
  checkpoint,
  path: checkpointPath(blocks, 2),
  certificate: signers.certificate(checkpoint),
  keys,
};

const fault = (changed: CheckpointProof, block = second) =>
  checkpointProofFault(changed, block, signing.committee, crypto, verifyEd25519);

test('each block of a checkpoint is proved to stand in it, and no other', async () => {
  for (const block of blocks)
    expect(await fault({ ...proof, path: checkpointPath(blocks, block.height) }, block)).toBeNull();
  expect(await fault(proof, third)).toBe('checkpoint: block 3 does not stand in it');
  expect(await fault(proof, { ...second, slot: second.slot + 1 })).toBe('checkpoint: block 2 does not stand in it');
});

/** All of the checkpoint, its path and its certificate, and the keys of the first and the last member. */
const PLACES = places(proof).filter((path) => !/^keys\.members\.(?:[1-9]|1[0-8])\./.test(path));

test.each(PLACES)('what is changed at %s is found', async (path) => {
  const changed = changedAt(proof, path.split('.')) as CheckpointProof;
  expect(await fault(changed), path).toMatch(/^checkpoint(?: certificate| keys)?: /);
});

test('keys that somebody made up certify nothing of this committee', async () => {
  const others = await CheckpointCommittee.of(crypto, 101);
  const invented = { ...others.keys, committee: signing.hash };
  const claimed = { ...others.checkpoint(null, blocks), keys: checkpointKeysHash(invented) };
  const votes = others.pairs.slice(0, 16).map((pair, member) => checkpointVote(claimed, member, pair));
  const certificate = checkpointCertificate(votes, crypto);
  if (certificate === null) throw new Error('no certificate');
  expect(checkpointCertificateFault(certificate, claimed, invented, crypto)).toBeNull();
  expect(await fault({ ...proof, checkpoint: claimed, certificate, keys: invented })).toBe(
    'checkpoint keys: member 0: it has not signed its keys',
  );
  const { committee, ...rest } = claimed;
  const foreign = { committee: committee.replace(/^./, (digit) => (digit === '0' ? '1' : '0')), ...rest };
  expect(await fault({ ...proof, checkpoint: foreign })).toBe('checkpoint: it is of another committee');
});

/** Every value, by its path. */
function places(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [path];
  return Object.entries(value).flatMap(([name, inner]) => places(inner, path === '' ? name : `${path}.${name}`));
}

function changedAt(value: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined) {
    if (typeof value === 'number') return value + 1;
    const text = String(value);
    return `${text.slice(0, -1)}${text.endsWith('0') ? '1' : '0'}`;
  }
  const changed = changedAt((value as Record<string, unknown>)[name], rest);
  return Array.isArray(value) ? value.with(Number(name), changed) : { ...(value as object), [name]: changed };
}
