import { Agent, request } from 'node:http';
import { createHmac } from 'node:crypto';
import { startWorker } from '/work/main/bench/runtime/start-worker.ts';
import { sealSecret } from '/work/main/data/identity/sealed-secret.ts';
import { Miniflare } from 'miniflare';
const MASTER = 'bG9jYWwtb25seS1hcGkta2V5LW1hc3Rlci1rZXktMDE';
const orig = Miniflare.prototype.getD1Database; let db: any;
Miniflare.prototype.getD1Database = async function (n: string) { db = await orig.call(this, n); return db; } as any;
const w = await startWorker('wrangler.toml');
const now = Date.now();
await db.batch([
  db.prepare("insert into organizations(id,name,created_at) values('o','o',0)"),
  db.prepare("insert into users(id,owner,email,name,created_at) values('u','o','e','n',0)"),
  db.prepare("insert into accounts(id,owner,user_id,kyc_status,created_at) values('a','o','u','completed',0)"),
  db.prepare("insert into api_keys(id,account,user_id,owner,name,secret_ciphertext,scopes,rate_limits,created_at) values('k','a','u','o','n',?,'[\"read\",\"trade\"]','{\"orders\":100000000,\"private\":100000000}',0)").bind(await sealSecret('secret-of-key-00000001', MASTER, 'k')),
]);
import { readFileSync, readdirSync } from 'node:fs';
function cpu() { let t = 0; for (const p of readdirSync('/proc')) { if (!/^\d+$/.test(p)) continue; try { const st = readFileSync(`/proc/${p}/stat`, 'utf8'); if (!st.includes('(workerd)')) continue; const f = st.slice(st.lastIndexOf(')') + 2).split(' '); const ppid = Number(f[1]); if (ppid !== process.pid) continue; t += Number(f[11]) + Number(f[12]); } catch {} } return t * 10; }
const agent = new Agent({ keepAlive: true, maxSockets: 64 });
function one(path: string, method: string, headers: any, body?: string) {
  return new Promise<number>((res, rej) => { const r = request(w.url, { agent, path, method, headers: { host: 'localhost', ...headers } }, (m) => { m.resume(); m.on('end', () => res(m.statusCode!)); }); r.on('error', rej); r.end(body); });
}
async function load(name: string, mk: () => Promise<number>, n = 3000) {
  for (let i = 0; i < 500; i++) await mk();
  const c0 = cpu(); const t = performance.now(); let left = n; const st: Record<number, number> = {};
  await Promise.all(Array.from({ length: 64 }, async () => { while (left-- > 0) { const s = await mk(); st[s] = (st[s] ?? 0) + 1; } }));
  const dt = (performance.now() - t) / 1000; console.log(((cpu() - c0) / n).toFixed(3), 'ms workerd CPU per request;', name, Math.round(n / dt), 'req/s', st);
}
const k = { 'x-api-key': 'k', 'x-api-secret': 'secret-of-key-00000001', 'content-type': 'application/json' };
await load('constant asset-less 404?', () => one('/exchange/healthz', 'GET', { 'cf-connecting-ip': `10.${Math.random()*255|0}.0.1` }));
for (let round = 0; round < 1; round++) {
  await load('404 no profile (ip gate)  ', () => one('/nope', 'GET', { 'cf-connecting-ip': `10.${Math.random()*255|0}.0.1` }));
  await load('key+secret, 400 validation', () => one('/book/v1/orders', 'POST', k, '{}'));
  let c = 0;
  await load('key+hmac,   400 validation', () => { const ts = String(Date.now()); const body = `{"n":${c++}}`; const sig = createHmac('sha256', 'secret-of-key-00000001').update(`${ts}POST/book/v1/orders${body}`).digest('hex'); return one('/book/v1/orders', 'POST', { 'x-api-key': 'k', 'x-api-timestamp': ts, 'x-api-signature': sig, 'content-type': 'application/json' }, body); });
}
await w.stop(); process.exit(0);
