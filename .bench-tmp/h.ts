import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import http from 'node:http';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { unstable_getMiniflareWorkerOptions } from 'wrangler';
import { database } from '/work/main/data/database.ts';
import { createApiKey } from '/work/main/data/identity/api-keys.ts';
import { sealSecret } from '/work/main/data/identity/sealed-secret.ts';
import { createPair } from '/work/main/test/workers/fixtures/create-pair.ts';
import { createTrader } from '/work/main/test/workers/fixtures/create-trader.ts';
import { createCurrency } from '/work/main/test/workers/fixtures/create-currency.ts';
import { uuidv7 } from 'uuidv7';

const folder = mkdtempSync(join(tmpdir(), 'hb-'));
const config = process.argv[2] ?? 'wrangler.toml';
execFileSync('wrangler', ['deploy', '--dry-run', '--containers-rollout=none', '--config', config, '--outdir', folder], { stdio: ['ignore', 'ignore', 'inherit'] });
const script = readdirSync(folder).find((n) => n.endsWith('.js'))!;
const { workerOptions } = unstable_getMiniflareWorkerOptions(config);
const mf = new Miniflare({ ...convertV4MiniflareOptions({ ...workerOptions, modules: [{ type: 'ESModule', path: join(folder, script) }], modulesRoot: folder, handleRuntimeStdio: (a: any, b: any) => { a.resume(); b.resume(); } } as never), resourcePersistencePath: join(folder, 'st') } as never);
const url = await mf.ready;
const d1 = await mf.getD1Database('DB');
for (const f of readdirSync('migrations/exchange').filter((n) => n.endsWith('.sql')).sort())
  for (const st of readFileSync(join('migrations/exchange', f), 'utf8').split('--> statement-breakpoint')) if (st.trim()) await d1.prepare(st.trim()).run();
const db = database(d1 as never);
await createCurrency(db);
const { symbol } = await createPair(db, 'HB');
const { vars } = { vars: (workerOptions as any).bindings };
const keys: any[] = [];
for (let i = 0; i < 16; i++) {
  const t = await createTrader(db, { cash: 1_000_000_000_00 });
  const id = uuidv7(); const secret = `secret-${uuidv7()}`;
  await createApiKey(db, { id, account: t.accountId, userId: t.userId, owner: t.owner, name: 'x', scopes: ['read', 'trade'], ipAllowlist: null, rateLimits: { public: 1e9, private: 1e9, orders: 1e9 }, positionLimits: null, dailyLossMax: null, createdAt: Date.now() }, await sealSecret(secret, vars.API_KEY_MASTER_KEY, id));
  keys.push({ 'x-api-key': id, 'x-api-secret': secret });
}
const cfolder = mkdtempSync(join(tmpdir(), 'hc-'));
writeFileSync(join(cfolder, 'c.js'), 'const body=JSON.stringify({ok:true});export default {async fetch(r){await r.text();return new Response(body,{headers:{"content-type":"application/json"}})}}');
const mc = new Miniflare(convertV4MiniflareOptions({ modules: [{ type: 'ESModule', path: join(cfolder, 'c.js') }], modulesRoot: cfolder, compatibilityDate: '2026-11-01' } as never) as never);
const curl = await mc.ready;
async function load(base: URL, path: string, seconds: number, headersOf: (i: number) => object) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 64 });
  const until = Date.now() + seconds * 1000; let done = 0, bad = 0; const lat: number[] = []; let sample = '';
  const one = (i: number) => new Promise<void>((res) => {
    const body = JSON.stringify({ symbol, side: 'buy', type: 'limit', size: 1, price: Math.round(100 + (done % 500)) / 100 });
    const t = performance.now();
    const q = http.request(new URL(path, base), { method: 'POST', agent, headers: { 'content-type': 'application/json', 'content-length': body.length, ...headersOf(i) } }, (r) => { let b = ''; r.on('data', (d) => (b += d)); r.on('end', () => { done++; if (r.statusCode !== 200) { bad++; sample = b; } lat.push(performance.now() - t); res(); }); });
    q.end(body);
  });
  await Promise.all(Array.from({ length: 64 }, async (_, i) => { while (Date.now() < until) await one(i); }));
  agent.destroy(); lat.sort((a, b) => a - b);
  return { rps: Math.round(done / seconds), bad, p50: +lat[lat.length >> 1]!.toFixed(1), p99: +lat[Math.floor(lat.length * 0.99)]!.toFixed(1), sample: sample.slice(0, 200) };
}
const { readdirSync: rd } = await import('node:fs');
const cpu = () => { const m: Record<string, number> = {}; for (const p of rd('/proc')) { if (!/^\d+$/.test(p)) continue; try { const st = readFileSync(`/proc/${p}/stat`, 'utf8'); const r = st.slice(st.lastIndexOf(')') + 2).split(' '); if (Number(r[1]) === process.pid && st.includes('workerd')) m[p] = (Number(r[11]) + Number(r[12])) * 10; } catch {} } return m; };
for (let i = 0; i < 5; i++) {
  const a = cpu(); const t0 = process.cpuUsage(); const c1 = await load(curl, '/', 2, () => ({})); const b = cpu(); const o1 = await load(url, '/book/v1/orders', 4, (i) => keys[i % 16]); const d = cpu(); const e1 = await load(url, '/book/v1/orders', 4, () => ({'x-api-key': 'nokey'})); const f = cpu();
  const diff = (x: any, y: any) => Math.max(...Object.keys(y).map((k) => y[k] - (x[k] ?? 0)));
  const cm = diff(a, b) / (c1.rps * 2), om = diff(b, d) / (o1.rps * 4);
  console.log(JSON.stringify({ const_ms: cm.toFixed(3), order_ms: om.toFixed(3), cpu_ratio: (cm / om).toFixed(3), unauth_ms: (diff(d, f) / (e1.rps * 4)).toFixed(3), c: c1.rps, o: o1.rps, e: e1.rps }));
}
for (let i = 0; i < 0; i++) {
  const c = await load(curl, '/', 3, () => ({})); const o = await load(url, '/book/v1/orders', 3, (i) => keys[i % 16]);
  console.log(JSON.stringify({ c, o, ratio: (o.rps / c.rps).toFixed(3) }));
}
await mf.dispose(); await mc.dispose(); process.exit(0);
