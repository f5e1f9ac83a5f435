import { expect, test } from 'vitest';
import { unstable_readConfig } from 'wrangler';
import { headersFile } from '../../scripts/web/static-files.ts';

const rules = (environment: string) => unstable_readConfig({ config: 'wrangler.toml', env: environment }).assets;

test('pages run nothing that stands in them, and are framed by nobody', () => {
  const [everywhere = ''] = headersFile().split('\n/');
  const policy = /Content-Security-Policy: (.*)/.exec(everywhere)?.[1] ?? '';
  expect(policy).not.toMatch(/unsafe|https?:|\*/);
  for (const directive of [
    "default-src 'self'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    'report-uri /console/v1/policy-reports',
  ])
    expect(policy.split('; ')).toContain(directive);
  for (const header of ['Permissions-Policy', 'Cross-Origin-Opener-Policy', 'Cross-Origin-Resource-Policy'])
    expect(everywhere).toContain(`  ${header}: `);
  expect(everywhere).toContain('X-Content-Type-Options: nosniff');
  expect(everywhere).not.toContain('Cache-Control');
});

test('every environment serves the files beside the Worker', () => {
  for (const environment of ['staging', 'production']) expect(rules(environment)).toEqual(rules(''));
  expect(rules('')).toMatchObject({ binding: 'ASSETS', not_found_handling: 'single-page-application' });
});

/** First segments of the console's pages. */
const PAGES = [
  '',
  'about',
  'account',
  'apply',
  'assets',
  'crossing',
  'desk',
  'fills',
  'holder',
  'indications',
  'listing',
  'markets',
  'orders',
];
const MORE_PAGES = [
  'organization',
  'positions',
  'register',
  'rsvp',
  'sign-in',
  'signed-out',
  'status',
  't',
  'venue',
  'verify',
  'reference',
];

test('no page of the console is the Worker’s', () => {
  const first = rules('')?.run_worker_first;
  const patterns = Array.isArray(first) ? first : [];
  expect(patterns.length).toBeGreaterThan(20);
  for (const page of [...PAGES, ...MORE_PAGES])
    for (const path of [`/${page}`, `/${page}/x`])
      expect(patterns.filter((pattern) => fits(pattern, path))).toEqual([]);
});

function fits(pattern: string, path: string): boolean {
  return pattern.endsWith('/*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern;
}
