import type { Mutant } from './mutant.ts';

const ROOM = 'domain/consensus/checkpoints';
const BLS_TEST = 'test/node/consensus/bls.test.ts';
const CERTIFICATE_TEST = 'test/node/consensus/checkpoint-certificate.test.ts';
const CHECKPOINT_TEST = 'domain/consensus/checkpoints/checkpoint.test.ts';
const CERTIFY_TEST = 'test/node/consensus/certify-checkpoint.test.ts';
const PROOF_TEST = 'test/node/consensus/checkpoint-proof.test.ts';

/** Rules of checkpoints of blocks and their certificates. */
export const CHECKPOINT_MUTANTS: readonly Mutant[] = [
  {
    rule: 'a checkpoint is certified by 16 members',
    file: `${ROOM}/checkpoint-certificate.ts`,
    from: 'members.length < QUORUM',
    to: 'members.length < QUORUM - 1',
    tests: [CERTIFICATE_TEST],
  },
  {
    rule: 'a member counts once in a certificate',
    file: `${ROOM}/checkpoint-certificate.ts`,
    from: 'member <= (members[at - 1] ?? -1)',
    to: 'member < (members[at - 1] ?? -1)',
    tests: [CERTIFICATE_TEST],
  },
  {
    rule: 'the BLS part of a certificate is verified',
    file: `${ROOM}/checkpoint-certificate.ts`,
    from: 'if (!isBlsOf(',
    to: 'if (false && !isBlsOf(',
    tests: [CERTIFICATE_TEST],
  },
  {
    rule: 'the ML-DSA part of a certificate is verified',
    file: `${ROOM}/checkpoint-certificate.ts`,
    from: 'if (!isMlDsaOf(',
    to: 'if (false && !isMlDsaOf(',
    tests: [CERTIFICATE_TEST],
  },
  {
    rule: 'a certificate is of the keys that its checkpoint names',
    file: `${ROOM}/checkpoint-certificate.ts`,
    from: ' || checkpoint.keys !== checkpointKeysHash(keys)',
    to: '',
    tests: [CERTIFICATE_TEST],
  },
  {
    rule: 'a BLS key without its proof is none of a committee',
    file: `${ROOM}/checkpoint-keys.ts`,
    from: 'if (!bls.isProved(',
    to: 'if (false && !bls.isProved(',
    tests: [CERTIFICATE_TEST],
  },
  {
    rule: 'keys for checkpoints are signed by their member',
    file: `${ROOM}/checkpoint-keys.ts`,
    from: 'if (!(await verify(',
    to: 'if (false && !(await verify(',
    tests: [CERTIFICATE_TEST, PROOF_TEST],
  },
  {
    rule: 'keys are held to their rules where a block is proved to stand in a checkpoint',
    file: `${ROOM}/checkpoint-proof.ts`,
    from: 'await checkpointKeysFault(keys, committee, crypto, verify)',
    to: 'await Promise.resolve<string | null>(null)',
    tests: [PROOF_TEST],
  },
  {
    rule: 'a block that is proved stands in the checkpoint',
    file: `${ROOM}/checkpoint-proof.ts`,
    from: 'if (!isInCheckpoint(',
    to: 'if (false && !isInCheckpoint(',
    tests: [PROOF_TEST],
  },
  {
    rule: 'a member signs no second checkpoint of a number',
    file: `${ROOM}/checkpoint-vote.ts`,
    from: 'stands !== signed.hash',
    to: 'false',
    tests: [CHECKPOINT_TEST],
  },
  {
    rule: 'a member signs no checkpoint from before its last',
    file: `${ROOM}/checkpoint-vote.ts`,
    from: 'checkpoint.number < signed.number',
    to: 'false',
    tests: [CHECKPOINT_TEST],
  },
  {
    rule: 'a public key of BLS is of the group',
    file: `${ROOM}/bls-module.ts`,
    from: 'this.calls.blsPublicKeyVerifyOrder(1)',
    to: 'this.calls.blsPublicKeyVerifyOrder(0)',
    tests: [BLS_TEST],
  },
  {
    rule: 'a signature of BLS is of the group',
    file: `${ROOM}/bls-module.ts`,
    from: 'this.calls.blsSignatureVerifyOrder(1)',
    to: 'this.calls.blsSignatureVerifyOrder(0)',
    tests: [BLS_TEST],
  },
  {
    rule: 'the identity is no public key of BLS',
    file: `${ROOM}/bls-wasm.ts`,
    from: 'calls.blsPublicKeyIsZero(place) === 0',
    to: 'true',
    tests: [BLS_TEST],
  },
  {
    rule: 'a proof of possession is no signature',
    file: `${ROOM}/checkpoint-crypto.ts`,
    from: "'BLS_POP_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_'",
    to: "'BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_'",
    tests: [BLS_TEST],
  },
  {
    rule: 'a member that signs a checkpoint wrongly is left out of its certificate',
    file: `${ROOM}/certify-checkpoint.ts`,
    from: 'checkpointVoteFault(vote, checkpoint, keys, crypto) === null',
    to: 'vote !== null',
    tests: [CERTIFY_TEST],
  },
  {
    rule: 'a certificate is verified before it is handed out',
    file: `${ROOM}/certify-checkpoint.ts`,
    from: 'checkpointCertificateFault(certificate, checkpoint, keys, crypto) === null',
    to: 'certificate.number > 0',
    tests: [CERTIFY_TEST],
  },
  {
    rule: 'a member stores what it signs of a checkpoint',
    file: `${ROOM}/checkpoint-member.ts`,
    from: 'signed.save({',
    to: 'Object({',
    tests: [CERTIFY_TEST],
  },
  {
    rule: 'a member signs checkpoints of final blocks alone',
    file: `${ROOM}/checkpoint-member.ts`,
    from: '!(await provesFinal(last, certificate))',
    to: '!((await provesFinal(last, certificate)) || true)',
    tests: [CERTIFY_TEST],
  },
  {
    rule: 'a receipt whose checkpoint is wrong proves nothing',
    file: 'domain/consensus/receipt.ts',
    from: 'return wrong === null ? ok(',
    to: 'return true || wrong === null ? ok(',
    tests: ['test/node/verify.test.ts'],
  },
];
