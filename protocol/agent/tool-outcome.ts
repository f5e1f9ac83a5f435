/** A failed tool call in the words of the exchange (docs/design/gateways.md#errors). */
export interface ToolError {
  readonly code: string;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}

export type ToolOutcome =
  | { readonly ok: true; readonly output: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly error: ToolError };

/** What the log says of an outcome. */
export function resultCodeOf(outcome: ToolOutcome): string {
  return outcome.ok ? 'OK' : outcome.error.code;
}
