import { join } from 'node:path';
import { PATHS } from './paths.ts';

/**
 * For process.env, before wrangler is loaded or started: without banner, telemetry, update checks, error reports and the download of example request data.
 */
export const WRANGLER_ENVIRONMENT: Readonly<Record<string, string>> = {
  WRANGLER_HIDE_BANNER: 'true',
  WRANGLER_SEND_METRICS: 'false',
  WRANGLER_SEND_ERROR_REPORTS: 'false',
  WRANGLER_WRITE_LOGS: 'false',
  WRANGLER_NO_SKILLS_UPDATE_PROMPTS: 'true',
  WRANGLER_REGISTRY_PATH: join(PATHS.state, 'registry'),
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
  NO_COLOR: '1',
};
