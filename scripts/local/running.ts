import type { ListedProcess } from './process-group.ts';

/** The system that runs on .state. */
export interface Running {
  /** Process of scripts/start.ts, and when it started. */
  readonly pid: number;
  readonly start: string;
  /** Process group of the server that it started, and when its leader started. */
  readonly server: number | null;
  readonly serverStart: string;
  readonly port: number;
}

/** Members of the server's group when its leader is gone: of another program a group may have the same number. */
const SERVER_PROGRAMS = /\b(?:wrangler|workerd)\b/;

/** Whether the process that wrote this is there, and no other with its id. */
export function isStarterAlive({ pid, start }: Running, processes: readonly ListedProcess[]): boolean {
  return processes.some((each) => each.pid === pid && each.start === start);
}

/** Whether something of the server that it started is left. */
export function isServerAlive({ server, serverStart }: Running, processes: readonly ListedProcess[]): boolean {
  if (server === null) return false;
  const leader = processes.find((each) => each.pid === server);
  if (leader !== undefined) return leader.start === serverStart;
  return processes.some((each) => each.group === server && SERVER_PROGRAMS.test(each.command));
}
