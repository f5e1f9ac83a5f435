import type { AppContext } from './app-env.ts';

/** Address of the caller as Cloudflare's edge (or the gateway in front) states it; `0.0.0.0` where nothing stands in front. */
export function clientAddressOf(c: AppContext): string {
  return c.req.header('cf-connecting-ip') ?? '0.0.0.0';
}
