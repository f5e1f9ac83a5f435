import { database } from '../../data/database.ts';
import { seedDemo } from '../../data/seed/seed-demo.ts';
import exchange from '../../workers/index.ts';

export { Gallery, Gate } from '../../workers/index.ts';

/** The service as deployed, and `/setup`, which makes its demo clients. */
export default {
  async fetch(request, env, ctx) {
    if (new URL(request.url).pathname === '/setup') {
      await seedDemo({ db: database(env.DB), apiKeyMasterKey: env.API_KEY_MASTER_KEY, now: Date.now() });
      return new Response();
    }
    return exchange.fetch(request, env, ctx);
  },
} satisfies ExportedHandler<Env>;
