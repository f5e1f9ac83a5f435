import { seedDemo } from '../../application/seed/seed-demo.ts';
import exchange from '../../workers/index.ts';

export * from './exchange-objects.ts';

/** The service as deployed, and `/setup`, which makes its demo clients. */
export default {
  async fetch(request, env, ctx) {
    if (new URL(request.url).pathname === '/setup') {
      await seedDemo({ env, apiKeyMasterKey: env.API_KEY_MASTER_KEY, now: Date.now() });
      return new Response();
    }
    return exchange.fetch(request, env, ctx);
  },
} satisfies ExportedHandler<Env>;
