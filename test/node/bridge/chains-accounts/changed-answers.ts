import type { ChainTransport } from '../../../../domain/bridge/chains/chain-adapter.ts';

/** Fields of an answer by their paths, as `transactions.0.hash`, and what stands there instead. */
export type AnswerChanges = Readonly<Record<string, unknown>>;

/**
 * A node some of whose answers say something else. What has no such place stays as it is.
 *
 * @param asked a part of the method, the path or the query whose answers are changed
 */
export function changedAnswers(transport: ChainTransport, asked: string, changes: AnswerChanges): ChainTransport {
  const changed = (what: string, answer: unknown) => {
    if (!what.includes(asked)) return answer;
    return Object.entries(changes).reduce((now, [path, value]) => placed(now, path.split('.'), value), answer);
  };
  return {
    rpc: async (method, params) => changed(method, await transport.rpc(method, params)),
    get: async (path) => changed(path, await transport.get(path)),
    post: async (path, body) => changed(`${path} ${JSON.stringify(body)}`, await transport.post(path, body)),
  };
}

function placed(answer: unknown, [key = '', ...rest]: readonly string[], value: unknown): unknown {
  if (typeof answer !== 'object' || answer === null) return answer;
  const before = (answer as Readonly<Record<string, unknown>>)[key];
  if (before === undefined && (rest.length > 0 || Array.isArray(answer))) return answer;
  const now = rest.length === 0 ? value : placed(before, rest, value);
  return Array.isArray(answer) ? answer.with(Number(key), now) : { ...answer, [key]: now };
}
