import { createRoute, z } from '@hono/zod-openapi';
import { html, raw } from 'hono/html';
import { database } from '../../../data/database.ts';
import { type DevMail, listDevMails } from '../../../data/mail/dev-mails.ts';
import { apiError } from '../../../protocol/errors/api-error.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { type FailureResponse, failure } from '../../responses/failure.ts';

const Mail = z.object({
  id: z.string(),
  kind: z.string(),
  recipient: z.string(),
  subject: z.string(),
  text: z.string(),
  html: z.string(),
  headers: z.record(z.string(), z.string()),
  createdAt: z.int(),
});

const STYLE_SHEET = `
:root { color-scheme: light dark; --text: #1a1a1a; --soft: #555; --ground: #fff; --line: #767676; --strong: #0b5cad; }
@media (prefers-color-scheme: dark) { :root { --text: #eee; --soft: #b5b5b5; --ground: #16181c; --line: #8a8f98; --strong: #8ab8f0; } }
* { box-sizing: border-box; }
body { margin: 0; padding: 1.5rem 1rem; background: var(--ground); color: var(--text); font: 1rem/1.5 system-ui, sans-serif; }
main { max-width: 44rem; margin: 0 auto; overflow-wrap: anywhere; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.05rem; margin: 0; }
article { margin: 1.5rem 0; padding: 1rem; border: 1px solid var(--line); border-radius: .4rem; }
p { margin: .25rem 0 .75rem; color: var(--soft); font-size: .9rem; }
iframe { width: 100%; height: 28rem; border: 1px solid var(--line); border-radius: .4rem; background: #fff; }
pre { white-space: pre-wrap; font-size: .85rem; } summary { cursor: pointer; color: var(--strong); }
:focus-visible { outline: 3px solid var(--strong); outline-offset: 2px; }
`;

/** What the local mailer has kept, as a page, and as JSON under `.json`. Outside ENVIRONMENT `local` there is neither. */
export function devMailRoutes(iam: Profile): void {
  registerRoute(
    iam,
    { access: { credential: 'public' }, bucket: 'public' },
    createRoute({
      method: 'get',
      path: '/dev/mail.json',
      hide: true,
      responses: {
        200: {
          description: 'Newest first',
          content: { 'application/json': { schema: z.object({ data: z.array(Mail) }) } },
        },
      },
    }),
    async (c) => {
      if (c.env.ENVIRONMENT !== 'local') return failure(c, apiError('NOT_FOUND', 'no such resource'));
      c.set('readableBy', null);
      return c.json({ data: await listDevMails(database(c.env.DB)) }, 200);
    },
  );
  registerRoute(
    iam,
    { access: { credential: 'public' }, bucket: 'public' },
    createRoute({
      method: 'get',
      path: '/dev/mail',
      hide: true,
      responses: { 200: { description: 'Newest first', content: { 'text/html': { schema: z.string() } } } },
    }),
    async (c) => {
      if (c.env.ENVIRONMENT !== 'local') return failure(c, apiError('NOT_FOUND', 'no such resource'));
      c.set('readableBy', null);
      // A mail is shown in a frame without scripts, without an origin, and with nothing from elsewhere; its own style stands in it.
      c.header(
        'content-security-policy',
        "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
      );
      return (await c.html(outboxPage(await listDevMails(database(c.env.DB))), 200)) as unknown as FailureResponse;
    },
  );
}

function outboxPage(mails: readonly DevMail[]) {
  return html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><title>Local mail</title><style>${raw(STYLE_SHEET)}</style></head>
<body><main><h1>Local mail</h1>
<p>What would have been sent, newest first, 100 at most. Nothing has left this machine.</p>
${mails.length === 0 ? html`<p>No mail yet.</p>` : mails.map(mailOf)}</main></body>
</html>`;
}

function mailOf({ kind, recipient, subject, text, html: markup, headers, createdAt }: DevMail) {
  return html`<article><h2>${subject}</h2>
<p>To ${recipient} · ${kind} · ${new Date(createdAt).toISOString()}</p>
<iframe title="${subject}" sandbox srcdoc="${markup}"></iframe>
<details><summary>Text and headers</summary><pre>${Object.entries(headers).map(([name, value]) => `${name}: ${value}\n`)}
${text}</pre></details></article>`;
}
