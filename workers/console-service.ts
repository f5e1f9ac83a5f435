import { WorkerEntrypoint } from 'cloudflare:workers';
import type { ConsoleDoor } from '../durable-objects/browser-session/api.ts';

/** Tokens for the Worker's own objects, which hold sessions of the console and import no use of the product (docs/design/console.md#the-session). */
export class ConsoleService extends WorkerEntrypoint<Env> implements ConsoleDoor {
  async renew(
    tokens: Parameters<ConsoleDoor['renew']>[0],
    from: Parameters<ConsoleDoor['renew']>[1],
  ): ReturnType<ConsoleDoor['renew']> {
    const { renewTokens } = await import('../application/console/console-tokens.ts');
    return renewTokens(this.env, tokens, { ...from, later: (work) => this.ctx.waitUntil(work) });
  }

  async isSpent(tokens: Parameters<ConsoleDoor['isSpent']>[0]): ReturnType<ConsoleDoor['isSpent']> {
    const { isSpent } = await import('../application/console/console-tokens.ts');
    return isSpent(this.env, tokens);
  }

  async endTokens(held: Parameters<ConsoleDoor['endTokens']>[0]): Promise<void> {
    const { endTokens } = await import('../application/console/console-tokens.ts');
    await endTokens(this.env, held);
  }
}
