/** What the Worker may cost before it does anything. `npm run check:deploy` measures both and fails beyond them. */
export const BUDGET = {
  /** Compressed, as it is uploaded; the script of the reference pages is 1.2 MB of it. Cloudflare takes 10 MB. */
  gzip_kib_max: 2_048,
  /**
   * Time in workerd from the first module to the last in which it was not idle, as `wrangler check startup` samples it: some 55 ms on 2
   * quiet cores (docs/performance.md#the-start-of-the-worker). A busy machine measures up to three
   * times as much, so the budget leaves room for that. Cloudflare takes 1 s, on its own machines.
   */
  startup_ms_max: 250,
} as const;
