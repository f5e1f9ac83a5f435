import { createRoute, z } from '@hono/zod-openapi';
import { bringProof, readWords } from '../../../application/bridge/prove-lie.ts';
import { readSignerStandings } from '../../../application/bridge/signer-standings.ts';
import { LIE_KINDS, lieProofs } from '../../../domain/bridge/signing/lie-proof.ts';
import { FAULT_REASONS } from '../../../domain/bridge/signing/signer-fault.ts';
import { CLUSTER_SIZE } from '../../../domain/bridge/transfer.ts';
import type { TransferWords } from '../../../durable-objects/transfer/api.ts';
import { apiError } from '../../../protocol/errors/api-error.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { enveloped, envelopeOf } from '../../responses/envelope.ts';
import { failure } from '../../responses/failure.ts';
import { bodyOf, isoTime } from '../../responses/wire.ts';
import { freshActionOf } from './action-of.ts';
import { OPERATOR_WRITE_UNKEPT, VENUE_READ } from './operator-route.ts';

const Signer = z
  .int()
  .min(0)
  .max(CLUSTER_SIZE - 1);

const SignerView = z
  .object({
    signer: z.int(),
    identity: z.string().nullable().openapi({ description: 'Compressed point. Null while it does not answer.' }),
    account: z.string().nullable().openapi({ description: 'The same as an address: what it stakes by.' }),
    seat: z
      .object({
        account: z.string().nullable().openapi({ description: 'Who has the seat. Null for nobody.' }),
        stake: z.string().openapi({ description: 'In the smallest unit of the coin.' }),
      })
      .nullable()
      .openapi({ description: 'Its seat at the stake. Null while the chain does not answer.' }),
    isSlashed: z.boolean().nullable().openapi({ description: 'Its own account. Null where that is not known now.' }),
    faults: z.object({
      total: z.int(),
      latest: z
        .array(z.object({ transferId: z.string(), reason: z.enum(FAULT_REASONS), at: z.iso.datetime() }))
        .openapi({ description: 'The newest 20. Each reason counts once a transfer.' }),
    }),
  })
  .openapi('OperatorBridgeSigner');

const WordsView = z
  .object({
    transferId: z.uuid(),
    organization: z.string(),
    commitment: z.string(),
    areFundsLost: z.boolean().openapi({ description: 'What was attested is gone.' }),
    words: z.array(
      z.object({
        signer: z.int(),
        account: z.string(),
        claim: z.object({
          chainId: z.int(),
          stake: z.string(),
          organization: z.string(),
          signer: z.int(),
          kind: z.string(),
          subject: z.string(),
          digest: z.string(),
          burn: z.object({ wrapped: z.string(), burner: z.string(), amount: z.string() }).nullable(),
          dueAt: z.int().openapi({ description: 'Unix seconds.' }),
        }),
        signature: z.string(),
      }),
    ),
    faults: z.array(z.object({ signer: z.int(), reason: z.enum(FAULT_REASONS), at: z.iso.datetime() })),
    proofs: z
      .array(z.object({ signer: z.int(), kind: z.enum(LIE_KINDS) }))
      .openapi({ description: 'What the words may prove. Whether a burn is there, the chain says.' }),
  })
  .openapi('OperatorBridgeWords');

const ProofBody = z.strictObject({ signer: Signer, kind: z.enum(LIE_KINDS) }).openapi('OperatorBridgeProof');

const transferParam = z.object({ id: z.uuid() });

/** What operators read of signers, and how they have one slashed. */
export function bridgeSignerRoutes(exchange: Profile): void {
  listSignersRoute(exchange);
  getWordsRoute(exchange);
  bringProofRoute(exchange);
}

function listSignersRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    VENUE_READ,
    createRoute({
      method: 'get',
      path: '/v1/operator/bridge/organizations/{organization}/signers',
      tags: ['operator'],
      summary: 'The five signers of an organization, their stakes, and what they were seen doing wrong',
      request: { params: z.object({ organization: z.string() }) },
      responses: { 200: envelopeOf('The signers, by number.', z.array(SignerView)) },
    }),
    async (c) => {
      const standings = await readSignerStandings(c.env, c.req.valid('param').organization);
      const views = standings.map(({ seat, faults, ...standing }) => ({
        ...standing,
        seat: seat && { ...seat },
        faults: {
          total: faults.total,
          latest: faults.latest.map(({ transfer, reason, at }) => ({ transferId: transfer, reason, at: isoTime(at) })),
        },
      }));
      return c.json(enveloped(views), 200);
    },
  );
}

function getWordsRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    { ...VENUE_READ, errors: ['NOT_FOUND'] },
    createRoute({
      method: 'get',
      path: '/v1/operator/bridge/transfers/{id}/words',
      tags: ['operator'],
      summary: 'What signers have said of a transfer’s funds, and what it may prove against them',
      request: { params: transferParam },
      responses: { 200: envelopeOf('The words.', WordsView) },
    }),
    async (c) => {
      const { id: transferId } = c.req.valid('param');
      const kept = await readWords(c.env, transferId);
      if (kept === null) return failure(c, apiError('NOT_FOUND', 'no such transfer'));
      return c.json(enveloped(wordsOnWire(transferId, kept)), 200);
    },
  );
}

function bringProofRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    { ...OPERATOR_WRITE_UNKEPT, errors: ['NOT_FOUND', 'CONFLICT', 'SERVICE_UNAVAILABLE'] },
    createRoute({
      method: 'post',
      path: '/v1/operator/bridge/transfers/{id}/proofs',
      tags: ['operator'],
      summary: 'Have a signer slashed by its own words',
      description: 'The stake’s contract checks the proof. Sent again it slashes once.',
      request: { params: transferParam, body: bodyOf(ProofBody) },
      responses: { 200: envelopeOf('It is slashed.', z.object({ ...ProofBody.shape, transferId: z.string() })) },
    }),
    async (c) => {
      const { id: transferId } = c.req.valid('param');
      const stated = c.req.valid('json');
      const brought = await bringProof(c.env, { transfer: transferId, ...stated }, freshActionOf(c));
      return brought.ok ? c.json(enveloped({ transferId, ...stated }), 200) : failure(c, brought.error);
    },
  );
}

function wordsOnWire(transferId: string, kept: TransferWords): z.infer<typeof WordsView> {
  const { organization, commitment, areFundsLost, words, faults } = kept;
  return {
    transferId,
    organization,
    commitment,
    areFundsLost,
    words: words.map(({ claim, ...word }) => ({ ...word, claim: { ...claim, burn: claim.burn && { ...claim.burn } } })),
    faults: faults.map(({ signer, reason, at }) => ({ signer, reason, at: isoTime(at) })),
    proofs: lieProofs(words).map(({ kind, words: [{ signer }] }) => ({ signer, kind })),
  };
}
