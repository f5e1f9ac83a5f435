import { createRoute, z } from '@hono/zod-openapi';
import { chainStatus } from '../../../application/finality/chain-status.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { enveloped, envelopeOf } from '../../responses/envelope.ts';
import { isoTimeOrNull } from '../../responses/wire.ts';
import { VENUE_READ } from './operator-route.ts';

const waitsFor = z
  .string()
  .nullable()
  .openapi({ description: 'Why it does not go on; it tries again by itself. Null while it does.' });

const VoteView = z.object({ member: z.int(), height: z.int(), hash: z.string(), signature: z.string() });

const EquivocationView = z.object({
  votes: z.array(VoteView),
  chain: z.array(z.record(z.string(), z.union([z.string(), z.int()]))).openapi({
    description: 'Headers of the second vote’s chain, from the height of the first vote to its block.',
  }),
});

const SettlementChainView = z
  .object({
    blocks: z
      .object({
        epoch: z.int(),
        committee: z.string().nullable().openapi({
          description:
            'Hash of the committee that votes on the next blocks; `GET /.well-known/committee` has its keys, and where its members live. While the committee of `epoch` gets no block, that of the last one goes on. Null while there is none.',
        }),
        epochWaitsFor: z.string().nullable().openapi({
          description:
            'Why the committee of `epoch` has no block yet. It tries again by itself, after a pause that grows to five minutes. Null where nothing keeps it.',
        }),
        height: z.int(),
        finalHeight: z.int(),
        checkpointHeight: z.int().openapi({ description: 'Of the last block that stands in a certified checkpoint.' }),
        equivocations: z.array(z.object({ committee: z.string(), proof: EquivocationView })).openapi({
          description: 'Proofs against members that have voted for two blocks of which neither stands on the other.',
        }),
        absentMembers: z.array(z.int()).nullable().openapi({
          description:
            'Members that took no part in the last vote, by their numbers. Four may be away; with five nothing becomes final. Null before anybody was asked.',
        }),
        journalRow: z.int().openapi({ description: 'Last row of the ledger’s journal that was read.' }),
        waitsFor,
      })
      .nullable()
      .openapi({ description: 'Null while the sequencer does not answer.' }),
    checkpoints: z
      .object({
        number: z
          .int()
          .openapi({ description: 'Of the last checkpoint that has its certificate; 0 before the first.' }),
        lastHeight: z.int().openapi({ description: 'Of its last block.' }),
        waitsFor,
      })
      .nullable()
      .openapi({ description: 'Null while the checkpointer does not answer.' }),
    registry: z
      .object({
        waiting: z.int().openapi({ description: 'Settlements that are final and not recorded on chain.' }),
        waitingSince: z.iso.datetime().nullable(),
        refused: z.int().openapi({
          description:
            'Settlements that the registry refuses for good: somebody else has put as many records under their trades as it takes.',
        }),
        transactionsInFlight: z.int(),
        height: z.int().openapi({ description: 'Of the last block that was taken over.' }),
        checkpoint: z.int().openapi({ description: 'Number of the last checkpoint that is known to be recorded.' }),
        affordableTransactions: z.int().nullable().openapi({
          description:
            'Transactions of 100 settlements that the account of the recorder can pay. Null before it has looked.',
        }),
        waitsFor,
        checkpointsWaitFor: waitsFor,
      })
      .nullable()
      .openapi({ description: 'Null while the recorder does not answer.' }),
  })
  .openapi('OperatorSettlementChain');

/** GET /v1/operator/settlement-chain, which may be polled. */
export function getSettlementChainRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    VENUE_READ,
    createRoute({
      method: 'get',
      path: '/v1/operator/settlement-chain',
      tags: ['operator'],
      summary:
        'Blocks of settlements, their checkpoints and their registry on chain: how far they are, and what they wait for',
      responses: { 200: envelopeOf('All as they are now.', SettlementChainView) },
    }),
    async (c) => {
      const { sequencer, checkpointer, recorder } = await chainStatus(c.env);
      const view: z.infer<typeof SettlementChainView> = { blocks: null, checkpoints: checkpointer, registry: null };
      if (sequencer !== null) {
        const { row, equivocations, absent, ...blocks } = sequencer;
        const proofs = equivocations.map(({ committee, proof: { votes, chain } }) => ({
          committee,
          proof: { votes: [...votes], chain: chain.map((header) => ({ ...header })) },
        }));
        view.blocks = {
          ...blocks,
          equivocations: proofs,
          absentMembers: absent === null ? null : [...absent],
          journalRow: row,
        };
      }
      if (recorder !== null) {
        const { waitingSince, inFlight, affordable, ...registry } = recorder;
        view.registry = {
          ...registry,
          waitingSince: isoTimeOrNull(waitingSince),
          transactionsInFlight: inFlight,
          affordableTransactions: affordable,
        };
      }
      return c.json(enveloped(view), 200);
    },
  );
}
