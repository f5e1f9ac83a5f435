import { Container } from '@cloudflare/containers';

/** Port that the image's process listens on. */
const PORT = 8790;

/** The inference container where it runs on Cloudflare; elsewhere INFERENCE_URL leads to the same process on another host. */
export class InferenceContainer extends Container<Env> {
  override defaultPort = PORT;
  override sleepAfter = '15m';

  constructor(ctx: DurableObjectState<object>, env: Env) {
    super(ctx, env);
    this.envVars = { PORT: String(PORT), INFERENCE_SECRET: env.INFERENCE_SECRET };
  }
}
