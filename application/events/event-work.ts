import { z } from 'zod';

const Caller = { tenant: z.string(), organization: z.string(), requestId: z.string() };

/** What the queues `event-work` and `event-reembed` carry: names of work, never content. */
export const EventWork = z.discriminatedUnion('type', [
  /** An enhancement is due: of which tenant is found out when the message is. */
  z.object({ type: z.literal('enhance') }),
  /** `after`: the last photo of the step before. `timedOut`: the photo behind it, and how many steps it has ended by taking too long. */
  z.object({
    type: z.literal('reembed'),
    collection: z.string(),
    after: z.string(),
    timedOut: z.object({ photo: z.string(), times: z.int() }).optional(),
    ...Caller,
  }),
]);

export type EventWork = z.infer<typeof EventWork>;

/** What became of a message. `retry` in seconds. */
export type WorkOutcome = { readonly type: 'done' } | { readonly type: 'retry'; readonly delaySeconds: number };

export const DONE: WorkOutcome = { type: 'done' };
