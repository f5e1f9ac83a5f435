/** Where browsers report what the policy of a page has kept it from. */
const REPORTS = '/console/v1/policy-reports';

/**
 * Policy of the console's pages: nothing of another origin, no inline script or style, no eval, no plug-in, framed by nobody. Pictures may be made by the
 * page itself.
 */
const PAGE_POLICY = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  `report-uri ${REPORTS}`,
].join('; ');

/** Passkeys are asked for on the page itself; a door's page takes pictures; nothing else of a device is used. */
const PERMISSIONS_POLICY = [
  'accelerometer=()',
  'autoplay=()',
  'camera=(self)',
  'clipboard-write=(self)',
  'display-capture=()',
  'geolocation=()',
  'gyroscope=()',
  'hid=()',
  'magnetometer=()',
  'microphone=()',
  'midi=()',
  'payment=()',
  'publickey-credentials-get=(self)',
  'serial=()',
  'usb=()',
  'xr-spatial-tracking=()',
].join(', ');

/** Headers of every file of the console; the Worker sets those of its answers (workers/middleware/finish-headers.ts). */
export const PAGE_HEADERS: readonly (readonly [string, string])[] = [
  ['Content-Security-Policy', PAGE_POLICY],
  ['Permissions-Policy', PERMISSIONS_POLICY],
  ['Cross-Origin-Opener-Policy', 'same-origin'],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
  ['Referrer-Policy', 'same-origin'],
  ['Strict-Transport-Security', 'max-age=31536000; includeSubDomains'],
  ['X-Content-Type-Options', 'nosniff'],
  ['X-Frame-Options', 'DENY'],
];
