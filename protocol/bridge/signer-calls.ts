import { z } from 'zod';
import { CHAIN_NAMES } from '../../domain/bridge/chains/chain-name.ts';
import { CEREMONIES_MAX } from '../../domain/bridge/signing/ceremony/ceremony-host.ts';
import { MESSAGES_MAX } from '../../domain/bridge/signing/check-job.ts';
import type { HostedSigner } from '../../domain/bridge/signing/hosted-signer.ts';
import { CLUSTER_SIZE, CLUSTER_THRESHOLD } from '../../domain/bridge/transfer.ts';
import type { ServedCall } from '../calls/answer-call.ts';

/** A reference of a payment that spends outputs names up to 20 of them. */
const REFERENCE_CHARACTERS_MAX = 16_384;

const hexOf = (bytes: number) =>
  z.string().regex(new RegExp(`^[0-9a-f]{${2 * bytes}}$`), `${bytes} bytes in hexadecimal`);
const Hex = z
  .string()
  .max(4_096)
  .regex(/^([0-9a-f]{2})*$/, 'hexadecimal');
const Text = z.string().max(256);
const Units = z.string().regex(/^(0|[1-9]\d{0,77})$/, 'whole units as digits');
const Whole = z.int().min(0);
const Signer = z
  .int()
  .min(0)
  .max(CLUSTER_SIZE - 1);
const Point = z.union([hexOf(32), hexOf(33)]);
const Scheme = z.enum(['frost-secp256k1', 'frost-taproot', 'frost-ed25519', 'multisig-secp256k1']);
const Side = z.enum(['source', 'destination']);

const Place = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('account'), account: Text }),
  z.strictObject({ kind: z.literal('chain'), chain: z.enum(CHAIN_NAMES), address: Text, memo: Text.optional() }),
]);

export const TransferTermsDocument = z.strictObject({
  id: Text,
  organization: Text,
  asset: Text,
  source: Place,
  destination: Place,
  amountIn: Units,
  amountOut: Units,
  amount: Whole,
  fee: Whole,
  expiresAt: Whole,
});

/** Payments of one transfer that a guard shows. */
const PAYMENTS_MAX = 8;
const Order = z.strictObject({
  kind: z.enum(['payout', 'refund', 'cancel', 'sweep']),
  commitment: hexOf(32),
  reference: z.string().max(REFERENCE_CHARACTERS_MAX),
  to: Text,
  memo: Text.optional(),
  amount: Units,
});
const PaidOut = z.strictObject({ terms: TransferTermsDocument, payment: Order.nullable() });
const Job = z.strictObject({
  terms: TransferTermsDocument,
  payment: Order,
  side: Side,
  coSignature: Hex.nullable(),
  earlier: z
    .array(z.strictObject({ side: Side, payment: Order }))
    .max(PAYMENTS_MAX)
    .optional(),
  deposit: Text.optional(),
  paidOut: z.array(PaidOut).max(MESSAGES_MAX).optional(),
  builds: hexOf(32).optional(),
});

const Address = z.string().regex(/^0x[0-9a-fA-F]{40}$/, 'an address');
const Claim = z.strictObject({
  chainId: z.int().min(1),
  stake: Address,
  organization: Text,
  signer: Signer,
  kind: z.enum(['funds', 'payment', 'cancel']),
  subject: hexOf(32),
  digest: hexOf(32),
  burn: z.strictObject({ wrapped: Address, burner: Address, amount: Units }).nullable(),
  dueAt: Whole,
});

const Session = z.string().regex(/^[\w.-]{1,64}$/, 'a session');
const Offer = z.strictObject({
  signer: Signer,
  session: Session,
  generation: z.int().min(1),
  commitments: z.array(z.strictObject({ hiding: Point, binding: Point })).max(MESSAGES_MAX),
});
const Share = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('share'), shares: z.array(hexOf(32)).max(MESSAGES_MAX) }),
  z.strictObject({ kind: z.literal('ecdsa'), signatures: z.array(hexOf(64)).max(MESSAGES_MAX) }),
]);

const Cluster = z.strictObject({
  scheme: Scheme,
  generation: z.int().min(1),
  commitments: z.array(Point).max(CLUSTER_THRESHOLD),
  verifyingShares: z.array(Point).length(CLUSTER_SIZE),
});
const Ceremony = z.strictObject({
  id: Text,
  organization: Text,
  scheme: Scheme,
  kind: z.enum(['make', 'reshare']),
  generation: z.int().min(1),
  roster: z.array(hexOf(33)).length(CLUSTER_SIZE),
  dealers: z.array(z.strictObject({ signer: Signer, key: hexOf(33) })).max(CLUSTER_SIZE),
  from: Cluster.nullable(),
});
const Deal = z.strictObject({
  dealer: Signer,
  commitments: z.array(Point).max(CLUSTER_THRESHOLD),
  proof: Hex.max(2 * 65),
  signature: hexOf(64),
});
const Sealed = z.strictObject({
  dealer: Signer,
  transcript: hexOf(32),
  envelopes: z.array(Hex.max(512)).max(CLUSTER_SIZE),
  signature: hexOf(64),
});
const Confirmed = z.strictObject({ signer: Signer, transcript: hexOf(32), cluster: Cluster, signature: hexOf(64) });
const Deals = z.array(Deal).max(CLUSTER_SIZE);

/** A signer's answer is a value, a refusal too. */
const signing = <Value extends z.ZodType>(value: Value) =>
  z.discriminatedUnion('ok', [
    z.strictObject({ ok: z.literal(true), value }),
    z.strictObject({
      ok: z.literal(false),
      kind: z.enum(['not_yet', 'refused']),
      reason: z.string().max(1_024),
      isVoid: z.literal(true).optional(),
    }),
  ]);
const ceremonial = <Value extends z.ZodType>(value: Value) =>
  z.discriminatedUnion('ok', [
    z.strictObject({ ok: z.literal(true), value }),
    z.strictObject({ ok: z.literal(false), reason: z.string().max(1_024), culprit: Signer.nullable() }),
  ]);

/**
 * What a signer behind HTTP is asked, and what it answers: `POST /v1/<organization>/<call>` with a JSON list of arguments, under a bearer token. 200 has the answer, a refusal
 * too; 400 says what is wrong with the question, 401 that the token is.
 */
export const SIGNER_CALLS = {
  identity: { asked: z.tuple([]), answered: hexOf(33) },
  clusters: { asked: z.tuple([]), answered: z.array(Cluster).max(256) },
  knownPlaces: { asked: z.tuple([TransferTermsDocument]), answered: signing(hexOf(32)) },
  attestFunds: {
    asked: z.union([z.tuple([TransferTermsDocument]), z.tuple([TransferTermsDocument, Text])]),
    answered: signing(
      z.strictObject({ signer: Signer, claim: Claim.nullable(), digest: hexOf(32), signature: hexOf(65) }),
    ),
  },
  notePaidOut: { asked: z.tuple([PaidOut]), answered: signing(z.literal(true)) },
  knowsReference: { asked: z.tuple([Job]), answered: signing(z.literal(true)) },
  offer: { asked: z.tuple([Job, Session]), answered: signing(Offer) },
  sign: { asked: z.tuple([Job, Session, z.array(Offer).max(CLUSTER_SIZE)]), answered: signing(Share) },
  deal: { asked: z.tuple([Ceremony]), answered: ceremonial(Deal) },
  seal: { asked: z.tuple([Ceremony, Deals]), answered: ceremonial(Sealed) },
  take: { asked: z.tuple([Ceremony, Deals, z.array(Sealed).max(CLUSTER_SIZE)]), answered: ceremonial(Confirmed) },
  unfinished: { asked: z.tuple([]), answered: z.array(Ceremony).max(CEREMONIES_MAX) },
  confirmations: { asked: z.tuple([Ceremony]), answered: ceremonial(z.array(Confirmed).max(CLUSTER_SIZE)) },
  activate: {
    asked: z.tuple([Ceremony, z.array(Confirmed).max(CLUSTER_SIZE)]),
    answered: ceremonial(Cluster),
  },
} as const;

export type SignerCall = keyof typeof SIGNER_CALLS;

/** Finds a call by its path, `<organization>/<call>`. @param signerOf null for an organization that the signer is none of */
export function callOfSigners(signerOf: (organization: string) => HostedSigner | null) {
  return (path: string): ServedCall | null => {
    const [organization = '', name = '', ...more] = path.split('/');
    if (more.length > 0 || !Object.hasOwn(SIGNER_CALLS, name)) return null;
    const signer = signerOf(organization);
    if (signer === null) return null;
    const call = name as SignerCall;
    const answer = (...args: never[]) => (signer[call] as (...of: never[]) => Promise<unknown>)(...args);
    return { asked: SIGNER_CALLS[call].asked, answer };
  };
}

/** Five confirmations, or twenty nonces of three signers, have some 20 kB; a job whose references name twenty outputs each, with what was ordered before, up to 200 kB. */
export const SIGNER_CALL_BYTES_MAX = 262_144;
