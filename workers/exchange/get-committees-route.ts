import { createRoute, z } from '@hono/zod-openapi';
import { sequencerOf } from '../../durable-objects/sequencer/api.ts';
import { apiError } from '../../protocol/errors/api-error.ts';
import {
  COMMITTEES_PAGE,
  CommitteesDocument,
  committeesDocument,
} from '../../protocol/receipts/committees-document.ts';
import { type Profile, registerRoute } from '../middleware/profile.ts';
import { failure } from '../responses/failure.ts';
import { wholeNumberOr } from '../responses/whole-number.ts';
import { jsonOf } from '../responses/wire.ts';

/** A committee is formed once an epoch, and named within seconds. */
const CURRENT_S = 30;

/** GET /.well-known/committee, on every host of the venue. */
export function getCommitteesRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    {
      access: { credential: 'public' },
      bucket: 'public',
      errors: ['SERVICE_UNAVAILABLE'],
      edge: { seconds: CURRENT_S },
    },
    createRoute({
      method: 'get',
      path: '/.well-known/committee',
      tags: ['assets'],
      summary: 'Who makes trades final',
      description: `The committees that have been formed, by epoch: their hashes, which receipts are checked against, and their keys. \`members\` says where the members live: \`embedded\` in one object of the venue by one secret, so that their votes are the venue’s own word; \`objects\` each in an object of the venue’s with a key of its own; \`places\` some or all in processes of their own; null where that was not noted. \`handover\` has the signatures of at least 16 members of the committee before that this one comes after it; null of the first, and where they have not given them. Up to ${COMMITTEES_PAGE} from the epoch \`from\`. Keep the first that you read: later ones prove themselves from it.`,
      request: { query: z.object({ from: wholeNumberOr(1, 1, 0xffff_ffff) }) },
      responses: { 200: jsonOf('The committees.', CommitteesDocument) },
    }),
    async (c) => {
      const { from } = c.req.valid('query');
      const committees = await sequencerOf(c.env)
        .committees(from)
        .catch(() => null);
      if (committees === null) return failure(c, apiError('SERVICE_UNAVAILABLE', 'the committees cannot be read now'));
      return c.json(committeesDocument(committees), 200);
    },
  );
}
