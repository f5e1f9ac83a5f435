import type { AgentTool } from './tool.ts';

/**
 * What the log keeps of a call's parameters: those that the tool declares, where their values are valid. Whatever else an agent sent,
 * a secret in the wrong place above all, is not kept.
 */
export function loggableParameters(tool: AgentTool, parameters: unknown): Readonly<Record<string, unknown>> {
  if (typeof parameters !== 'object' || parameters === null) return {};
  const sent = parameters as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    Object.entries(tool.input.shape).flatMap(([name, schema]) => {
      if (!Object.hasOwn(sent, name)) return [];
      return schema.safeParse(sent[name]).success ? [[name, sent[name]]] : [];
    }),
  );
}
