export async function replayThroughExchange(_: unknown): Promise<never> { throw new Error('x'); }
