import { logOf } from '../process/log.ts';

/** Standard output belongs to the protocol. */
export const log = logOf('agent-server', process.stderr);
