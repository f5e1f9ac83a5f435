import { z } from 'zod';

/** A message of the queue `jobs`: one job, and which of the invocations it is that do it one after the other. */
export const JobMessage = z.object({ job: z.string(), part: z.int().min(0) });
export type JobMessage = z.infer<typeof JobMessage>;
