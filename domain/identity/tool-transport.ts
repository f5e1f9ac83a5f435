/** How a call of an agent tool came in. */
export const TOOL_TRANSPORTS = ['stdio', 'http'] as const;
